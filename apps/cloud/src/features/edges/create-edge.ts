import { invalid } from '@vigia/contracts/errors'
import { type Caller, notFound, requireScope, requireWrite } from '../../http/caller.ts'
import { recordCamera } from '../cameras/record-camera.ts'
import { requirePlaces } from '../quotas/require-places.ts'
import { lockLineage } from '../quotas/store.ts'
import { requireDesiredFits } from './desired-limits.ts'
import { issueCode } from './issue-code.ts'
import { getEdge, type ReadDeps } from './list-edges.ts'
import { recordEdge } from './record-edge.ts'
import { adoptCameras, insertEdge, storedEdge } from './store.ts'

/**
 * Registers an edge and returns it with its activation code, which is shown this once.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa), `validacao`, `conflito` (limit).
 */
export async function createEdge(
  deps: ReadDeps,
  caller: Caller,
  input: { readonly nome: string; readonly empresa_id?: number | null | undefined },
) {
  requireWrite(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Informe a Empresa do edge.', 'missing')
  requireScope(caller, empresaId)

  const agora = deps.clock.now()
  const codigo = issueCode(agora)
  const id = await deps.db.transaction().execute(async (tx) => {
    // The operator's scope is everything, also what does not exist.
    const lineage = await lockLineage(tx, empresaId)
    if (!lineage) throw notFound('Empresa não encontrada.')
    await requirePlaces(tx, lineage, { tipo: 'edges', quantos: 1, quem: caller, now: agora })
    const edge = { nome: input.nome, empresa_id: empresaId, local: 0, criado_em: agora } as const
    const edgeId = await insertEdge(tx, edge, codigo.stored)
    await recordEdge(tx, agora, caller, { antes: null, depois: await storedEdge(tx, edgeId) })
    for (const camera of await adoptCameras(tx, empresaId, edgeId))
      await recordCamera(tx, agora, caller, { antes: { ...camera, edge_id: null }, depois: camera })
    await requireDesiredFits(tx, empresaId, edgeId)
    return edgeId
  })
  return { ...(await getEdge(deps, caller, id)), edge_id: id, ...codigo.shown }
}
