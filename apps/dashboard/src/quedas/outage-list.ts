import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Camera } from '@vigia/contracts/cameras'
import type { Queda } from '@vigia/contracts/eventos'

/** Which outages a list shows; null: all. */
export interface FiltroQuedas {
  readonly empresa: number | null
  /** Of one box and of its cameras. */
  readonly caixa: number | null
  readonly camera: number | null
  /** Only those that go on. */
  readonly abertas: boolean
}

/** The most outages that one list holds. */
export const MAX_QUEDAS = 200

/** Outages that go on, of whatever stands in `empresa`. */
export const openOutages = (empresa: number | null): FiltroQuedas => ({
  empresa,
  caixa: null,
  camera: null,
  abertas: true,
})

/** What goes on first, then by beginning. */
export const newestOutageFirst = (a: Queda, b: Queda): number =>
  Number(b.fim === null) - Number(a.fim === null) || Date.parse(b.inicio) - Date.parse(a.inicio) || b.id - a.id

const matches = (queda: Queda, filtro: FiltroQuedas): boolean =>
  (filtro.empresa === null || queda.empresa_id === filtro.empresa) &&
  (filtro.caixa === null || queda.edge_id === filtro.caixa) &&
  (filtro.camera === null || queda.camera_id === filtro.camera) &&
  (!filtro.abertas || queda.fim === null)

/** `list` with the outage in its place, once, in its latest version; an outage that is over never goes on again. */
export function mergeQueda(list: readonly Queda[], incoming: Queda, filtro: FiltroQuedas): Queda[] {
  const known = list.find(({ id }) => id === incoming.id)
  const latest = known?.fim && incoming.fim === null ? known : incoming
  return [...list.filter(({ id }) => id !== incoming.id), latest]
    .filter((queda) => matches(queda, filtro))
    .sort(newestOutageFirst)
    .slice(0, MAX_QUEDAS)
}

export interface ForaDoAr {
  readonly caixas: readonly Queda[]
  readonly cameras: readonly Camera[]
}

/** What is down now: boxes, and the cameras that are offline although their box is not: a dark site is one thing, not 64. */
export function downNow(open: readonly Queda[], cameras: readonly Camera[]): ForaDoAr {
  const caixas = open.filter(({ camera_id, fim }) => camera_id === null && fim === null)
  const dark = new Set(caixas.map(({ edge_id }) => edge_id))
  return {
    caixas,
    cameras: cameras.filter(({ status, edge_id }) => status === 'offline' && !(edge_id !== null && dark.has(edge_id))),
  }
}

/** The reason of a camera that is down because its box is out of contact. */
const OF_THE_BOX = 'edge_offline' satisfies CameraFailure

export interface QuedaComCameras {
  readonly queda: Queda
  /** Cameras that went down with the box and are still down. */
  readonly cameras: number
}

/** The list with the cameras that went down together with their box folded into its line. */
export function foldDarkSites(list: readonly Queda[]): QuedaComCameras[] {
  const dark = new Map<number, { queda: Queda; cameras: number }>()
  for (const queda of list) {
    if (queda.camera_id === null && queda.edge_id !== null && queda.fim === null)
      dark.set(queda.edge_id, { queda, cameras: 0 })
  }
  return list.flatMap((queda) => {
    const box = queda.edge_id === null ? undefined : dark.get(queda.edge_id)
    if (!box) return [{ queda, cameras: 0 }]
    if (box.queda === queda) return [box]
    if (queda.fim !== null || queda.motivo !== OF_THE_BOX) return [{ queda, cameras: 0 }]
    box.cameras += 1
    return []
  })
}

/** The outage of a camera that goes on. */
export const openOutageOf = (open: readonly Queda[], camera: number): Queda | null =>
  open.find(({ camera_id, fim }) => camera_id === camera && fim === null) ?? null

/** The outage of a box that goes on. */
export const openOutageOfBox = (open: readonly Queda[], caixa: number): Queda | null =>
  open.find(({ camera_id, edge_id, fim }) => camera_id === null && edge_id === caixa && fim === null) ?? null
