import type { Gravidade } from '@vigia/contracts/ias'
import { markOf, type Span } from '../../../ui/hour-view.ts'

/** Top and bottom of each kind, per cent, in the order of painting: the height differs as well as the colour. */
const kinds = {
  semVigia: [0, 100],
  queda: [50, 50],
  baixa: [70, 100],
  media: [45, 100],
  alta: [20, 100],
  critica: [0, 100],
  gravador: [0, 60],
  caixa: [60, 100],
  buscada: [0, 25],
} as const satisfies Record<
  Gravidade | 'queda' | 'semVigia' | 'gravador' | 'caixa' | 'buscada',
  readonly [number, number]
>
export type Kind = keyof typeof kinds

export interface DayMark {
  readonly kind: Kind
  /** ISO 8601. `fim` null: it lasts until now. */
  readonly inicio: string
  readonly fim: string | null
}

/** Width of the drawing; the browser stretches it over the bar. */
export const WIDTH = 1000
/** Shortest mark, so that a person sees it. */
const SHORTEST = 3
const x = (share: number): number => Math.round(share * WIDTH * 10) / 10

/** Returns the lines of full hours as one path of a drawing of `WIDTH` by 100. */
export const linesOf = (ticks: readonly number[], view: Span): string =>
  ticks.map((at) => `M${x((at - view.desde) / (view.ate - view.desde))} 0V100`).join('')

/** Returns the marks as one path for each kind of which the view shows any, however many there are. */
export function pathsOf(
  marks: readonly DayMark[],
  view: Span,
  now: number,
): { readonly kind: Kind; readonly d: string }[] {
  const byKind = Map.groupBy(marks, ({ kind }) => kind)
  const paths = (Object.keys(kinds) as Kind[]).map((kind) => {
    const [top, bottom] = kinds[kind]
    const parts = (byKind.get(kind) ?? []).map((one) => {
      const mark = markOf(one, view, now)
      if (mark === null) return ''
      const from = x(mark.start)
      const to = Math.max(from + SHORTEST, x(mark.start + mark.length))
      return top === bottom ? `M${from} ${top}H${to}` : `M${from} ${top}H${to}V${bottom}H${from}Z`
    })
    return { kind, d: parts.join('') }
  })
  return paths.filter(({ d }) => d !== '')
}
