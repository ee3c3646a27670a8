import type { Relatorio } from '@vigia/contracts/relatorios'

type Contagem = Relatorio['total']

/** The row with the most events, the first of equals; null: no row has any. */
export const busiest = <T extends Pick<Contagem, 'eventos'>>(rows: readonly T[]): T | null =>
  rows.reduce<T | null>((most, row) => (row.eventos > (most?.eventos ?? 0) ? row : most), null)

/** Rows with events; the others are folded into a sentence. */
export const withEvents = <T extends Pick<Contagem, 'eventos'>>(rows: readonly T[]): T[] =>
  rows.filter(({ eventos }) => eventos > 0)

/** Camera of a report with the change that it needs most. */
export interface WorstCamera {
  readonly id: number
  readonly nome: string
  readonly problema: 'descartes' | 'quedas'
  /** Discarded events of all its events, or outages; `de` counts for the first only. */
  readonly quantos: number
  readonly de: number
}

const SHOWN = 3
/** Fewer discarded events may be chance. */
const MIN_DISCARDED = 5
const MIN_QUEDAS = 2

/** The cameras with the most discarded events, if these are half of theirs or more, then those that fell most often. */
export function worstCameras({ por_camera, quedas }: Pick<Relatorio, 'por_camera' | 'quedas'>): WorstCamera[] {
  const noisy = por_camera
    .filter(({ eventos, refutados }) => refutados >= MIN_DISCARDED && refutados * 2 >= eventos)
    .toSorted((a, b) => b.refutados - a.refutados)
    .map(({ camera_id: id, camera_nome: nome, eventos: de, refutados: quantos }) => {
      const problema = 'descartes' as const
      return { id, nome, problema, quantos, de }
    })
  const fallen = quedas.por_nome
    .flatMap(({ camera_id, nome, total }) =>
      camera_id === null || total < MIN_QUEDAS
        ? []
        : { id: camera_id, nome, problema: 'quedas' as const, quantos: total, de: total },
    )
    .toSorted((a, b) => b.quantos - a.quantos)
  return [...noisy.slice(0, SHOWN), ...fallen.slice(0, SHOWN)]
}
