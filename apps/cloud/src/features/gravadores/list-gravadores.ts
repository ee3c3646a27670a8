import type { CanalGravador, Gravador } from '@vigia/contracts/gravadores'
import type { SecretBox } from '../../adapters/secret-box.ts'
import type { Database } from '../../db/open.ts'
import type { Caller } from '../../http/caller.ts'
import { narrowScope } from '../../scope/narrow-scope.ts'
import { readKnownStreams } from './known-streams.ts'
import { recorderInScope } from './require-gravador.ts'
import { listRecorders } from './store.ts'
import { viewChannels, viewRecorder } from './view-gravador.ts'

interface ReadDeps {
  readonly db: Database
  readonly box: SecretBox
}

export async function listVisibleRecorders(
  { db, box }: ReadDeps,
  caller: Caller,
  empresaId: number | undefined,
): Promise<Gravador[]> {
  const rows = await listRecorders(db, await narrowScope(db, caller, empresaId))
  return rows.map((row) => viewRecorder(row, box, caller))
}

/** @throws VigiaError `nao_encontrado`. */
export const getRecorder = async ({ db, box }: ReadDeps, caller: Caller, id: number): Promise<Gravador> =>
  viewRecorder(await recorderInScope(db, caller, id), box, caller)

/** @throws VigiaError `nao_encontrado`. */
export async function listChannels({ db, box }: ReadDeps, caller: Caller, id: number): Promise<CanalGravador[]> {
  const row = await recorderInScope(db, caller, id)
  return viewChannels(row, box, await readKnownStreams(db, row.empresa_id, id))
}
