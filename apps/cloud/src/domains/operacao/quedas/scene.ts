import type { CameraWithEdge } from '../../../db/cameras.ts'
import { cameraStatus, edgeOf, edgeStatus, offlineReason } from '../../locais/public.ts'
import type { Seen } from './queda-tracker.ts'
import type { WatchedEdge } from './store.ts'
import { SEM_CONTATO } from './view-queda.ts'

/** All edges and cameras at one check. */
export interface Scene {
  readonly edges: ReadonlyMap<number, WatchedEdge>
  readonly cameras: readonly CameraWithEdge[]
}

/** Key of a subject in the tracker. */
export const keyOf = ({ edge_id, camera_id }: { edge_id: number | null; camera_id: number | null }): string =>
  camera_id === null ? `edge ${edge_id}` : `camera ${camera_id}`

/**
 * Returns the states of activated edges and of enabled cameras on them. Before `connectedAt` (epoch ms) the cloud
 * received no reports. That time counts for no queda, unless an edge later reports a camera offline in it.
 */
export function observedStates({ edges, cameras }: Scene, connectedAt: number, now: number): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  for (const edge of edges.values()) {
    const status = edgeStatus(edge, now)
    if (status !== 'aguardando')
      seen.set(`edge ${edge.id}`, {
        online: status === 'online',
        motivo: SEM_CONTATO,
        lastSign: Math.max(edge.visto_em ?? 0, edge.ativado_em ?? 0, connectedAt),
      })
  }
  for (const camera of cameras) {
    const edge = edgeOf(camera)
    const { status } = cameraStatus(camera, edge, now)
    const motivo = offlineReason(camera, edge)
    if (status === 'desativada' || (status === 'offline' && motivo === 'sem_edge')) continue
    const reported = camera.relato_em !== null && camera.relato_em >= connectedAt
    seen.set(`camera ${camera.id}`, {
      online: status === 'online',
      motivo,
      lastSign: reported ? camera.ultimo_frame_em : Math.max(camera.ultimo_frame_em ?? 0, connectedAt),
    })
  }
  return seen
}

/** Returns the columns of a queda that describe its subject. */
export function subjectOf(key: string, { edges, cameras }: Scene) {
  const [kind, id] = key.split(' ')
  const found: WatchedEdge | CameraWithEdge | undefined =
    kind === 'edge' ? edges.get(Number(id)) : cameras.find((camera) => camera.id === Number(id))
  if (!found) throw new Error(`unknown subject ${key}`)
  const { nome, empresa_id } = found
  return 'edge_id' in found
    ? { nome, empresa_id, edge_id: found.edge_id, camera_id: found.id }
    : { nome, empresa_id, edge_id: found.id, camera_id: null }
}
