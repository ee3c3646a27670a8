import { invalid } from '@vigia/contracts/errors'
import type { Gravador, GravadorCreate } from '@vigia/contracts/gravadores'
import { findGravadorAt } from '../../../db/gravadores.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import { requireSimulated } from '../../../scope/require-simulated.ts'
import { chooseEdge } from '../edges/choose-edge.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { addressTaken } from './change-gravador.ts'
import { accessOf } from './gravador-sources.ts'
import { requireGravador } from './require-gravador.ts'
import { addGravador } from './save-gravador.ts'
import { viewGravador } from './view-gravador.ts'

/**
 * Registers a gravador without cameras; they are added later by `gravador_id` and `canal`.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao`, `conflito` (address taken, or limit).
 */
export async function createGravador(deps: DesiredDeps, caller: Caller, input: GravadorCreate): Promise<Gravador> {
  requireWrite(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é o gravador', 'missing')
  requireScope(caller, empresaId)
  const access = accessOf(caller, input)
  const now = deps.clock.now()
  const row = await transact(deps.db, async (tx) => {
    const lineage = await lockLineage(tx, empresaId)
    if (!lineage) throw notFound('Empresa não encontrada.')
    requireSimulated(lineage.empresa, access.host, 'host')
    const there = await findGravadorAt(tx, empresaId, access.host, access.porta)
    if (there) throw addressTaken(there)
    await requireQuota(tx, lineage, { tipo: 'gravadores', quantos: 1, quem: caller, now })
    const edge_id = input.edge_id == null ? null : await chooseEdge(tx, caller, empresaId, input.edge_id)
    const { nome, num_canais, max_conexoes = null } = input
    const settings = { access, nome, num_canais, max_conexoes, edge_id }
    const id = await addGravador(tx, deps.box, caller, empresaId, settings, now)
    return await requireGravador(tx, caller, id)
  })
  return viewGravador(row, deps.box, caller)
}
