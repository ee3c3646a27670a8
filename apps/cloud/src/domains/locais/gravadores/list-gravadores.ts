import type { CanalGravador, Gravador } from '@vigia/contracts/gravadores'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { GravadorWithCount } from '../../../db/gravadores.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import type { ListSource } from '../../../http/list-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { readKnownStreams } from './known-streams.ts'
import { requireGravador } from './require-gravador.ts'
import { countGravadores, listGravadores } from './store.ts'
import { viewChannels, viewGravador } from './view-gravador.ts'

interface ReadDeps {
  readonly db: Database
  readonly box: SecretBox
}

export async function visibleGravadores({ db, box }: ReadDeps, caller: Caller, empresaId: number | undefined) {
  const empresas = await narrowScope(db, caller, empresaId)
  return {
    path: '/api/v1/gravadores',
    count: () => countGravadores(db, empresas),
    read: (after, limit) => listGravadores(db, empresas, after, limit),
    view: (row) => viewGravador(row, box, caller),
  } satisfies ListSource<GravadorWithCount, Gravador>
}

/** @throws VigiaError `nao_encontrado`. */
export const getGravador = async ({ db, box }: ReadDeps, caller: Caller, id: number): Promise<Gravador> =>
  viewGravador(await requireGravador(db, caller, id), box, caller)

/** @throws VigiaError `nao_encontrado`. */
export async function listChannels({ db, box }: ReadDeps, caller: Caller, id: number): Promise<CanalGravador[]> {
  const row = await requireGravador(db, caller, id)
  return viewChannels(row, box, await readKnownStreams(db, row.empresa_id, id))
}
