import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Camera } from '@vigia/contracts/cameras'
import type { Queda } from '@vigia/contracts/eventos'

/** Filter of a list; null: all. */
export interface FiltroQuedas {
  readonly empresa: number | null
  /** Quedas of one edge and of its cameras. */
  readonly edge: number | null
  readonly camera: number | null
  /** Only open quedas. */
  readonly abertas: boolean
}

/** Largest number of quedas in one list. */
export const MAX_QUEDAS = 200

/** Filter for the open quedas of `empresa`, or of the whole scope. */
export const openQuedas = (empresa: number | null): FiltroQuedas => ({
  empresa,
  edge: null,
  camera: null,
  abertas: true,
})

/** Open quedas first, then the latest start. */
export const newestQuedaFirst = (a: Queda, b: Queda): number =>
  Number(b.fim === null) - Number(a.fim === null) || Date.parse(b.inicio) - Date.parse(a.inicio) || b.id - a.id

const matches = (queda: Queda, filtro: FiltroQuedas): boolean =>
  (filtro.empresa === null || queda.empresa_id === filtro.empresa) &&
  (filtro.edge === null || queda.edge_id === filtro.edge) &&
  (filtro.camera === null || queda.camera_id === filtro.camera) &&
  (!filtro.abertas || queda.fim === null)

/** Merges the latest version of a queda into `list`; an ended queda never opens again. */
export function mergeQueda(list: readonly Queda[], incoming: Queda, filtro: FiltroQuedas): Queda[] {
  const known = list.find(({ id }) => id === incoming.id)
  const latest = known?.fim && incoming.fim === null ? known : incoming
  return [...list.filter(({ id }) => id !== incoming.id), latest]
    .filter((queda) => matches(queda, filtro))
    .sort(newestQuedaFirst)
    .slice(0, MAX_QUEDAS)
}

export interface ForaDoAr {
  readonly edges: readonly Queda[]
  readonly cameras: readonly Camera[]
}

/** Open quedas of edges, and offline cameras of other edges: an offline edge counts once, without its cameras. */
export function downNow(open: readonly Queda[], cameras: readonly Camera[]): ForaDoAr {
  const edges = open.filter(({ camera_id, fim }) => camera_id === null && fim === null)
  const dark = new Set(edges.map(({ edge_id }) => edge_id))
  return {
    edges,
    cameras: cameras.filter(({ status, edge_id }) => status === 'offline' && !(edge_id !== null && dark.has(edge_id))),
  }
}

/** Failure of a camera whose edge is offline. */
const OF_THE_EDGE = 'edge_offline' satisfies CameraFailure

export interface QuedaComCameras {
  readonly queda: Queda
  /** Number of cameras that went offline with the edge and are still offline. */
  readonly cameras: number
}

/** Merges the quedas of cameras that went offline with their edge into the queda of the edge. */
export function foldOfflineEdges(list: readonly Queda[]): QuedaComCameras[] {
  const dark = new Map<number, { queda: Queda; cameras: number }>()
  for (const queda of list) {
    if (queda.camera_id === null && queda.edge_id !== null && queda.fim === null)
      dark.set(queda.edge_id, { queda, cameras: 0 })
  }
  return list.flatMap((queda) => {
    const edge = queda.edge_id === null ? undefined : dark.get(queda.edge_id)
    if (!edge) return [{ queda, cameras: 0 }]
    if (edge.queda === queda) return [edge]
    if (queda.fim !== null || queda.motivo !== OF_THE_EDGE) return [{ queda, cameras: 0 }]
    edge.cameras += 1
    return []
  })
}

/** Returns the open queda of a camera. */
export const openQuedaOf = (open: readonly Queda[], camera: number): Queda | null =>
  open.find(({ camera_id, fim }) => camera_id === camera && fim === null) ?? null

/** Returns the open queda of an edge. */
export const openQuedaOfEdge = (open: readonly Queda[], edge: number): Queda | null =>
  open.find(({ camera_id, edge_id, fim }) => camera_id === null && edge_id === edge && fim === null) ?? null
