import { invalid } from '@vigia/contracts/errors'
import type { Database } from '../../db/open.ts'
import { type Caller, inScope, notFound } from '../../http/caller.ts'
import { findEdgeOwner, leastLoadedEdge } from './store.ts'

/**
 * Returns the edge for a new camera of `empresaId`: the requested one, else the Empresa's edge with the fewest cameras,
 * else the local edge. Activated edges come first. null: no edge exists.
 * @throws VigiaError `nao_encontrado` (edge out of scope), `validacao` (edge of another Empresa).
 */
export async function chooseEdge(
  db: Database,
  caller: Caller,
  empresaId: number,
  asked: number | null | undefined,
): Promise<number | null> {
  if (asked == null) return (await leastLoadedEdge(db, empresaId))?.id ?? null
  return await requireAskedEdge(db, caller, empresaId, asked)
}

/**
 * Requires an edge that may serve `empresaId` (null: any edge in the caller's scope). Returns its id.
 * @throws VigiaError `nao_encontrado` (edge out of scope), `validacao` (edge of another Empresa).
 */
export async function requireAskedEdge(
  db: Database,
  caller: Caller,
  empresaId: number | null,
  asked: number,
): Promise<number> {
  const edge = await findEdgeOwner(db, asked)
  if (edge?.local || (edge && edge.empresa_id === empresaId)) return edge.id
  if (!edge || edge.empresa_id === null || !inScope(caller, edge.empresa_id)) throw notFound('Edge não encontrado.')
  if (empresaId === null) return edge.id
  throw invalid(['body', 'edge_id'], 'Este edge atende outra Empresa')
}
