import type { Database } from '../../../db/open.ts'
import { listEdges, removeEdge } from './store.ts'

/**
 * Removes the edges of an Empresa and revokes their certificates, in the caller's transaction. The cameras are deleted
 * before, so that none moves to another edge. Returns the ids of the edges.
 */
export async function removeEdgesOf(tx: Database, empresaId: number, now: number): Promise<number[]> {
  const edges = await listEdges(tx, [empresaId])
  for (const { id } of edges) await removeEdge(tx, id, now)
  return edges.map(({ id }) => id)
}
