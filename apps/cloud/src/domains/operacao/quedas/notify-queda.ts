import type { Database } from '../../../db/open.ts'
import { enqueueQueda, type QuedaNotice } from '../../mensagens/public.ts'
import { OF_THE_EDGE } from './queda-tracker.ts'
import type { Scene } from './scene.ts'
import type { QuedaRow, WatchedEdge } from './store.ts'
import { viewQueda } from './view-queda.ts'

/**
 * Queues the notifications of the start (or, with `fim`, the end) of a queda in the transaction that records it. A
 * camera that is offline because of its edge is not notified; the queda of the edge covers it.
 */
export async function notifyQueda(tx: Database, row: QuedaRow, scene: Scene, now: number): Promise<void> {
  if (row.camera_id !== null && row.motivo === OF_THE_EDGE) return
  for (const news of row.camera_id === null ? ofEdge(row, scene) : ofCamera(row, row.camera_id, scene))
    await enqueueQueda(tx, news, now)
}

function ofCamera(row: QuedaRow, cameraId: number, { edges }: Scene): QuedaNotice[] {
  if (row.empresa_id === null) return []
  return [
    {
      tipo: row.fim === null ? 'camera.offline' : 'camera.online',
      queda: viewQueda(row),
      camera: { id: cameraId, nome: row.nome },
      edge: named(edges.get(row.edge_id ?? 0)),
      empresaId: row.empresa_id,
      cameraIds: [cameraId],
    },
  ]
}

/** An edge of an Empresa concerns that Empresa. The local edge concerns each Empresa with an active camera on it. */
function ofEdge(row: QuedaRow, { edges, cameras }: Scene): QuedaNotice[] {
  const active = cameras.filter(({ ativa, edge_id }) => ativa === 1 && edge_id === row.edge_id)
  const empresas = row.empresa_id === null ? new Set(active.map(({ empresa_id }) => empresa_id)) : [row.empresa_id]
  return [...empresas].map((empresaId) => ({
    tipo: row.fim === null ? 'edge.offline' : 'edge.online',
    queda: viewQueda(row),
    camera: null,
    edge: named(edges.get(row.edge_id ?? 0)),
    empresaId,
    cameraIds: active.flatMap(({ id, empresa_id }) => (empresa_id === empresaId ? [id] : [])),
  }))
}

const named = (edge: WatchedEdge | undefined) => (edge ? { id: edge.id, nome: edge.nome } : null)
