import type { Database } from '../../../db/open.ts'
import { edgeStatus } from './edge-status.ts'
import { listServingEdges } from './store.ts'

/** The edges of an Empresa, and those of them that are online. The local edge counts only for one without its own. */
export async function countServing(
  db: Database,
  empresaId: number,
  now: number,
): Promise<{ readonly feitas: number; readonly total: number }> {
  const serving = await listServingEdges(db, empresaId)
  const own = serving.filter(({ local }) => local === 0)
  const counted = own.length > 0 ? own : serving
  return { feitas: counted.filter((edge) => edgeStatus(edge, now) === 'online').length, total: counted.length }
}
