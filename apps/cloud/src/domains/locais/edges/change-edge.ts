import type { Edge, edgePatchSchema } from '@vigia/contracts/edges'
import { VigiaError } from '@vigia/contracts/errors'
import { GRAVACAO_CONTINUA_MB_PADRAO } from '@vigia/contracts/gravacao-continua'
import type { z } from 'zod'
import { auditCamera } from '../../../audit/audit-camera.ts'
import { auditEdge } from '../../../audit/audit-edge.ts'
import { auditGravador } from '../../../audit/audit-gravador.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { lockEdge } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { requireEffect } from '../../../http/effects.ts'
import { requireDesiredFits } from './desired-limits.ts'
import { issueCode } from './issue-code.ts'
import { getEdge, type ReadDeps } from './list-edges.ts'
import type { AllowedCertificates } from './publish-allowed.ts'
import { requireEdge } from './require-edge.ts'
import { listGravadoresOfEdge, removeEdge, saveCode, storedEdge, updateEdge } from './store.ts'

export interface ChangeDeps extends ReadDeps {
  readonly desired: { changed(edgeId: number): void }
  readonly allowed: AllowedCertificates
}

/** Changes the given fields; a new limit or budget is published to the edge at once. */
export async function patchEdge(
  deps: ChangeDeps,
  caller: Caller,
  id: number,
  { nome, limite_reenvio_kbps, gravacao_continua_mb }: z.infer<typeof edgePatchSchema>,
): Promise<Edge> {
  requireWrite(caller)
  const desired = {
    ...(limite_reenvio_kbps !== undefined && { limite_reenvio_kbps }),
    ...(gravacao_continua_mb !== undefined && { gravacao_continua_mb }),
  }
  await transact(deps.db, async (tx) => {
    await lockEdge(tx, id)
    const before = await requireEdge(tx, caller, id)
    const budget = (mb: number | null | undefined) => mb ?? GRAVACAO_CONTINUA_MB_PADRAO
    if (gravacao_continua_mb !== undefined && budget(gravacao_continua_mb) < budget(before.gravacao_continua_mb))
      requireEffect(caller, 'destroys', 'Reduzir o espaço das gravações contínuas da caixa')
    await updateEdge(tx, id, {
      ...(nome != null && { nome }),
      ...desired,
    })
    await auditEdge(tx, deps.clock.now(), caller, { antes: before, depois: await storedEdge(tx, id) })
  })
  if (Object.keys(desired).length > 0) deps.desired.changed(id)
  return getEdge(deps, caller, id)
}

/** Issues a new one-time code. The current certificate stays in force until the code is used. */
export async function renewCode(deps: ChangeDeps, caller: Caller, id: number) {
  requireWrite(caller)
  const now = deps.clock.now()
  const codigo = issueCode(now)
  await transact(deps.db, async (tx) => {
    await lockEdge(tx, id)
    const before = await requireEdge(tx, caller, id)
    await saveCode(tx, id, codigo.stored)
    const after = await storedEdge(tx, id)
    await auditEdge(tx, now, caller, { acao: 'emitir_codigo', antes: before, depois: after })
  })
  return { edge_id: id, ...codigo.shown }
}

/**
 * Removes the edge and revokes its certificates; its cameras move to another edge that may serve them.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (the local edge, or the other edge would exceed its
 * limit)
 */
export async function deleteEdge(deps: ChangeDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  const { empresa_id } = await requireEdge(deps.db, caller, id)
  const heirs = await transact(deps.db, async (tx) => {
    if (empresa_id !== null) await lockLineage(tx, empresa_id)
    await lockEdge(tx, id)
    const edge = await requireEdge(tx, caller, id)
    if (edge.local === 1)
      throw new VigiaError('conflito', { detalhe: 'A caixa local faz parte desta instalação e não pode ser removida.' })
    const now = deps.clock.now()
    const gravadores = await listGravadoresOfEdge(tx, id)
    const { heirs, moved } = await removeEdge(tx, id, now)
    for (const heir of heirs) if (empresa_id !== null) await requireDesiredFits(tx, empresa_id, heir)
    await auditEdge(tx, now, caller, { antes: edge, depois: null })
    for (const camera of moved) await auditCamera(tx, now, caller, camera)
    for (const gravador of gravadores)
      await auditGravador(tx, now, caller, { antes: gravador, depois: { ...gravador, edge_id: null } })
    return heirs
  })
  for (const edgeId of [id, ...heirs]) deps.desired.changed(edgeId)
  await deps.allowed.changed()
}
