import type { Database } from '../../../db/open.ts'
import type { NewEvento } from '../../../db/rows.ts'
import type { EventoBudget } from './evento-budget.ts'

/** Separate budget of a camera for events of severity `critica`. */
const CRITICAL_PER_CAMERA = 10
const MINUTE_MS = 60_000
/** `camera_id` of the row for the whole edge. */
const WHOLE_EDGE = 0

interface Spent {
  eventos: number
  criticos: number
}

/**
 * Counts live events against the budget of their camera and edge, and marks those that exceed it (`detalhes.adiado`).
 * Events from the backlog are not counted, because they are verified after the live ones anyway. The excess of a camera
 * does not count for its edge, so that it defers no events of other cameras.
 */
export async function spendBudget(
  tx: Database,
  edgeId: number,
  events: readonly NewEvento[],
  { perCamera, perEdge }: EventoBudget,
): Promise<NewEvento[]> {
  const live = events.filter(({ retroativo }) => retroativo !== 1)
  const [first] = live
  if (!first) return [...events]
  const minuto = Math.floor(first.recebido_em / MINUTE_MS)
  const spent = await readSpent(tx, edgeId, minuto, new Set(live.map(({ camera_id }) => camera_id)))
  const edge = spent.get(WHOLE_EDGE) ?? { eventos: 0, criticos: 0 }
  const fits = ({ camera_id, gravidade }: NewEvento): boolean => {
    const camera = spent.get(camera_id)
    if (!camera) return true
    if (gravidade === 'critica') {
      camera.criticos += 1
      return camera.criticos <= CRITICAL_PER_CAMERA
    }
    camera.eventos += 1
    if (camera.eventos > perCamera) return false
    edge.eventos += 1
    return edge.eventos <= perEdge
  }
  const marked = events.map((event) =>
    event.retroativo === 1 || fits(event)
      ? event
      : { ...event, detalhes_json: JSON.stringify({ ...JSON.parse(event.detalhes_json), adiado: true }) },
  )
  for (const [camera_id, counts] of spent)
    await tx
      .insertInto('orcamento_eventos')
      .values({ edge_id: edgeId, camera_id, minuto, ...counts })
      .onConflict((conflict) => conflict.columns(['edge_id', 'camera_id']).doUpdateSet({ minuto, ...counts }))
      .execute()
  return marked
}

/**
 * Reads the counts of the cameras and of the edge in this minute. The row of the edge is updated first, because its
 * lock also protects the rows of the cameras.
 */
async function readSpent(
  tx: Database,
  edgeId: number,
  minuto: number,
  cameraIds: ReadonlySet<number>,
): Promise<Map<number, Spent>> {
  await tx
    .insertInto('orcamento_eventos')
    .values({ edge_id: edgeId, camera_id: WHOLE_EDGE, minuto, eventos: 0, criticos: 0 })
    .onConflict((conflict) => conflict.columns(['edge_id', 'camera_id']).doUpdateSet({ edge_id: edgeId }))
    .execute()
  const ids = [WHOLE_EDGE, ...cameraIds]
  const rows = await tx
    .selectFrom('orcamento_eventos')
    .selectAll()
    .where('edge_id', '=', edgeId)
    .where('camera_id', 'in', ids)
    // A clock that was set back begins a new minute as well.
    .where('minuto', '=', minuto)
    .execute()
  const spent = new Map<number, Spent>(ids.map((id) => [id, { eventos: 0, criticos: 0 }]))
  for (const { camera_id, eventos, criticos } of rows) spent.set(camera_id, { eventos, criticos })
  return spent
}
