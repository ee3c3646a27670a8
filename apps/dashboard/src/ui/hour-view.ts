/** Part of a day, epoch ms; `ate` exclusive. */
export interface Span {
  readonly desde: number
  readonly ate: number
}

/** Position of a mark on a bar, as fractions of the part of the day that the bar shows. */
interface Mark {
  readonly start: number
  readonly length: number
}

const MINUTE_MS = 60_000
/** Shortest part of a day that a bar shows. */
export const SHORTEST_MS = 5 * MINUTE_MS
/** Distances between the hours of a bar, minutes. */
const STEPS_MIN = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360] as const

export const lengthOf = ({ desde, ate }: Span): number => ate - desde

/** Returns the part of a period within a view; null: none. `fim` null: it lasts until `now`. */
export function markOf(
  { inicio, fim }: { readonly inicio: string; readonly fim: string | null },
  view: Span,
  now: number,
): Mark | null {
  const from = Math.max(Date.parse(inicio), view.desde)
  const to = Math.min(fim === null ? now : Date.parse(fim), view.ate)
  if (to < from) return null
  const whole = lengthOf(view)
  return { start: (from - view.desde) / whole, length: (to - from) / whole }
}

/** The view of this length and start, moved into the whole. */
function within(desde: number, length: number, whole: Span): Span {
  const start = Math.max(whole.desde, Math.min(desde, whole.ate - length))
  return { desde: start, ate: start + length }
}

/** Returns the view `factor` times as close; `around` (epoch ms) keeps its place on the bar. */
export function zoomed(view: Span, whole: Span, factor: number, around: number): Span {
  const length = Math.round(Math.max(SHORTEST_MS, Math.min(lengthOf(whole), lengthOf(view) / factor)))
  const share = (around - view.desde) / lengthOf(view)
  return within(Math.round(around - share * length), length, whole)
}

/** Returns the view moved by `ms` within the whole. */
export const panned = (view: Span, whole: Span, ms: number): Span =>
  within(view.desde + Math.round(ms), lengthOf(view), whole)

/** Returns a view that shows `at`: the same one if it does, else one with `at` in its middle. */
export const pannedTo = (view: Span, whole: Span, at: number): Span =>
  at >= view.desde && at <= view.ate ? view : within(Math.round(at - lengthOf(view) / 2), lengthOf(view), whole)

/** Distance between hours so that a view has at most `most` intervals, ms. */
export function stepOf(view: Span, most: number): number {
  const minutes = STEPS_MIN.find((step) => lengthOf(view) / (step * MINUTE_MS) <= most) ?? 360
  return minutes * MINUTE_MS
}

/** Returns the instants of a view that stand at full steps since the start of the whole, at most `most` intervals. */
export function ticksOf(view: Span, whole: Span, most: number): number[] {
  const step = stepOf(view, most)
  const first = whole.desde + Math.ceil((view.desde - whole.desde) / step) * step
  return Array.from({ length: Math.floor((view.ate - first) / step) + 1 }, (_, index) => first + index * step)
}

/** Returns the next stop after (1) or before (-1) an instant, else the outermost one. `stops` ascend; null: none. */
export function nextStop(stops: readonly number[], at: number | null, direction: 1 | -1): number | null {
  const last = (direction === 1 ? stops.at(-1) : stops[0]) ?? null
  if (at === null) return (direction === 1 ? stops[0] : stops.at(-1)) ?? null
  return (direction === 1 ? stops.find((stop) => stop > at) : stops.findLast((stop) => stop < at)) ?? last
}

/** Returns the stop that is nearest to an instant and at most `withinMs` away; null: none. */
export function nearestStop(stops: readonly number[], at: number, withinMs: number): number | null {
  const [nearest] = stops.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))
  return nearest !== undefined && Math.abs(nearest - at) <= withinMs ? nearest : null
}
