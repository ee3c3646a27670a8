import { invalid, VigiaError } from '@vigia/contracts/errors'
import { auditCamera } from '../../../audit/audit-camera.ts'
import { auditEdge } from '../../../audit/audit-edge.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import { requireDesiredFits } from './desired-limits.ts'
import { issueCode } from './issue-code.ts'
import { getEdge, type ReadDeps } from './list-edges.ts'
import { adoptCameras, countEdges, insertEdge, storedEdge } from './store.ts'

/**
 * Limit of edges in one installation. The list of certificates in force is one message with two certificates per edge;
 * it holds 40,846 of the longest entries. Creations are serialized per tree of Empresas. Concurrent creations in
 * several trees may exceed this number, which the spare 846 entries absorb.
 */
export const MAX_EDGES = 40_000

/**
 * Registers an edge and returns it with its activation code, which is shown only once.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa), `validacao`, `conflito` (limit).
 */
export async function createEdge(
  deps: ReadDeps,
  caller: Caller,
  input: { readonly nome: string; readonly empresa_id?: number | null | undefined },
) {
  requireWrite(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Informe a Empresa da caixa.', 'missing')
  requireScope(caller, empresaId)

  const now = deps.clock.now()
  const codigo = issueCode(now)
  const id = await transact(deps.db, async (tx) => {
    // The operator's scope also contains ids that do not exist.
    const lineage = await lockLineage(tx, empresaId)
    if (!lineage) throw notFound('Empresa não encontrada.')
    await requireQuota(tx, lineage, { tipo: 'edges', quantos: 1, quem: caller, now })
    await requireSpace(tx)
    const edge = { nome: input.nome, empresa_id: empresaId, local: 0, criado_em: now } as const
    const edgeId = await insertEdge(tx, edge, codigo.stored)
    await auditEdge(tx, now, caller, { antes: null, depois: await storedEdge(tx, edgeId) })
    for (const camera of await adoptCameras(tx, empresaId, edgeId))
      await auditCamera(tx, now, caller, { antes: { ...camera, edge_id: null }, depois: camera })
    await requireDesiredFits(tx, empresaId, edgeId)
    return edgeId
  })
  return { ...(await getEdge(deps, caller, id)), edge_id: id, ...codigo.shown }
}

async function requireSpace(tx: Database): Promise<void> {
  if ((await countEdges(tx, null)) < MAX_EDGES) return
  throw new VigiaError('conflito', {
    detalhe:
      `A instalação já tem ${MAX_EDGES.toLocaleString('pt-BR')} caixas, o máximo que ela admite. ` +
      'Remova as que não são mais usadas ou fale com o operador da instalação.',
  })
}
