import type { CanalGravador, Gravador } from '@vigia/contracts/gravadores'
import type { SecretBox } from '../../adapters/secret-box.ts'
import type { Database } from '../../db/open.ts'
import type { Caller } from '../../http/caller.ts'
import { narrowScope } from '../../scope/narrow-scope.ts'
import { readKnownStreams } from './known-streams.ts'
import { requireGravador } from './require-gravador.ts'
import { listGravadores } from './store.ts'
import { viewChannels, viewGravador } from './view-gravador.ts'

interface ReadDeps {
  readonly db: Database
  readonly box: SecretBox
}

export async function listVisibleGravadores(
  { db, box }: ReadDeps,
  caller: Caller,
  empresaId: number | undefined,
): Promise<Gravador[]> {
  const rows = await listGravadores(db, await narrowScope(db, caller, empresaId))
  return rows.map((row) => viewGravador(row, box, caller))
}

/** @throws VigiaError `nao_encontrado`. */
export const getGravador = async ({ db, box }: ReadDeps, caller: Caller, id: number): Promise<Gravador> =>
  viewGravador(await requireGravador(db, caller, id), box, caller)

/** @throws VigiaError `nao_encontrado`. */
export async function listChannels({ db, box }: ReadDeps, caller: Caller, id: number): Promise<CanalGravador[]> {
  const row = await requireGravador(db, caller, id)
  return viewChannels(row, box, await readKnownStreams(db, row.empresa_id, id))
}
