import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { Gravador, GravadorPatch } from '@vigia/contracts/gravadores'
import { canonicalHost } from '@vigia/rtsp/address-policy'
import { auditGravador } from '../../../audit/audit-gravador.ts'
import { listGravadorCameras } from '../../../db/cameras.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import type { GravadorWithCount } from '../../../db/gravadores.ts'
import { findGravadorAt } from '../../../db/gravadores.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { lockEmpresa } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { requireSimulated } from '../../../scope/require-simulated.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import {
  type GravadorAccess,
  openGravador,
  requirePlainRight,
  requireUsable,
  SENHA_OCULTA,
} from './gravador-sources.ts'
import { requireGravador } from './require-gravador.ts'
import { saveGravador } from './save-gravador.ts'
import { deleteGravador } from './store.ts'
import { viewGravador } from './view-gravador.ts'

/**
 * Changes the given fields. A new host, port, user or password updates the addresses of all its cameras and their edges
 * in the same transaction.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao`, `conflito` (address taken in the Empresa, or the
 * configuration would be too large).
 */
export async function changeGravador(
  deps: DesiredDeps,
  caller: Caller,
  id: number,
  patch: GravadorPatch,
): Promise<Gravador> {
  requireWrite(caller)
  const { empresa_id } = await requireGravador(deps.db, caller, id)
  const { row, edges } = await transact(deps.db, async (tx) => {
    const lineage = await lockLineage(tx, empresa_id)
    const before = await requireGravador(tx, caller, id)
    const known = openGravador(deps.box, before)
    const access = patchedAccess(known, patch)
    const num_canais = patch.num_canais ?? before.num_canais
    requireUsable(access)
    requirePlainRight(caller, access, known)
    if (lineage) requireSimulated(lineage.empresa, access.host, 'host')
    await requireFreeAddress(tx, before, access)
    await requireSpace(tx, id, num_canais)
    const max_conexoes = patch.max_conexoes === undefined ? before.max_conexoes : patch.max_conexoes
    const wanted = { access, num_canais, max_conexoes, nome: patch.nome ?? before.nome, edge_id: before.edge_id }
    const changed = await saveGravador(tx, deps.box, caller, before, wanted, deps.clock.now())
    for (const edgeId of changed) await raiseDesiredVersion(tx, edgeId)
    return { row: await requireGravador(tx, caller, id), edges: changed }
  })
  for (const edgeId of edges) deps.desired.changed(edgeId)
  return viewGravador(row, deps.box, caller)
}

const patchedAccess = (before: GravadorAccess, patch: GravadorPatch): GravadorAccess => ({
  ...before,
  ...(patch.host != null && { host: canonicalHost(patch.host) }),
  ...(patch.porta != null && { porta: patch.porta }),
  ...(patch.porta_rtsp !== undefined && { porta_rtsp: patch.porta_rtsp }),
  ...(patch.senha_em_texto != null && { senha_em_texto: patch.senha_em_texto ? (1 as const) : (0 as const) }),
  ...(patch.usuario != null && { usuario: patch.usuario }),
  ...(patch.senha != null && patch.senha !== SENHA_OCULTA && { senha: patch.senha }),
})

async function requireFreeAddress(tx: Database, row: GravadorWithCount, { host, porta }: GravadorAccess) {
  const there = await findGravadorAt(tx, row.empresa_id, host, porta)
  if (there && there.id !== row.id) throw addressTaken(there)
}

/** Error: the Empresa already has a gravador at that host and port. */
export const addressTaken = ({ id, host, porta }: GravadorWithCount): VigiaError =>
  new VigiaError('conflito', { detalhe: `Esta Empresa já tem um gravador em ${host}, porta ${porta}: o de id ${id}.` })

async function requireSpace(tx: Database, id: number, numCanais: number) {
  const last = (await listGravadorCameras(tx, id)).at(-1)
  if (last?.canal != null && last.canal > numCanais)
    throw invalid(
      ['body', 'num_canais'],
      `O canal ${last.canal} é a câmera "${last.nome}": informe ${last.canal} ou mais, ou remova a câmera`,
      'greater_than_equal',
    )
}

/** Removes a gravador. @throws VigiaError `conflito` while it has cameras. */
export async function removeGravador(deps: DesiredDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  const { empresa_id } = await requireGravador(deps.db, caller, id)
  await transact(deps.db, async (tx) => {
    await lockEmpresa(tx, empresa_id)
    const before = await requireGravador(tx, caller, id)
    const { cameras } = before
    if (cameras > 0)
      throw new VigiaError('conflito', {
        detalhe:
          `Este gravador tem ${cameras === 1 ? '1 câmera' : `${cameras} câmeras`}. ` +
          `Remova-${cameras === 1 ? 'a' : 'as'} antes.`,
      })
    await deleteGravador(tx, id)
    await auditGravador(tx, deps.clock.now(), caller, { antes: before, depois: null })
  })
}
