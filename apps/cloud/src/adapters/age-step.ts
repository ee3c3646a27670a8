/** State of the time of ages; times are epoch ms of that time itself, so that no wall clock stamps them. */
export interface AgeState {
  /** The time of ages. */
  readonly time: number
  /** Begin of the window in which small differences are summed, and their sum. */
  readonly saltoDesde: number
  readonly saltoMs: number
  /** Time since which the wall clock is in doubt; null: it is not. */
  readonly duvidaDesde: number | null
  /** Wall clock minus the time of ages at the begin of the doubt. */
  readonly desvioMs: number | null
  /** Time since which most boxes agree with the wall clock; null: they do not. */
  readonly acordoDesde: number | null
}

/** Boxes on other machines that reported their clock lately, and those among them within an hour of the wall clock. */
export interface BoxClocks {
  readonly linked: number
  readonly agreeing: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The state after a take-over of the wall clock. */
export const takenOver = (wall: number, acordoDesde: number | null): AgeState => ({
  time: wall,
  saltoDesde: wall,
  saltoMs: 0,
  duvidaDesde: null,
  desvioMs: null,
  acordoDesde: acordoDesde === null ? null : wall,
})

/**
 * Moves the time of ages on by the monotonic clock. It follows the wall clock where that is certain. The sum of the
 * differences of a day is then at most a day, or most boxes have agreed for a day.
 */
export function stepAges(
  before: AgeState,
  { elapsedMs, wall, boxes }: { readonly elapsedMs: number; readonly wall: number; readonly boxes: BoxClocks },
): AgeState {
  const time = before.time + Math.max(0, elapsedMs)
  const agrees = boxes.linked > 0 && boxes.agreeing * 2 > boxes.linked
  const desvioMs = wall - time
  const isNewWindow = time - before.saltoDesde >= DAY_MS
  const [saltoDesde, summed] = isNewWindow ? [time, 0] : [before.saltoDesde, before.saltoMs]
  const saltoMs = summed + Math.abs(desvioMs)
  if (saltoMs <= DAY_MS) {
    const acordoDesde = agrees ? (before.acordoDesde ?? time) + desvioMs : null
    return { time: wall, saltoDesde: saltoDesde + desvioMs, saltoMs, duvidaDesde: null, desvioMs: null, acordoDesde }
  }
  const isSameDoubt = before.desvioMs !== null && Math.abs(desvioMs - before.desvioMs) <= HOUR_MS
  const acordoDesde = agrees ? (isSameDoubt ? (before.acordoDesde ?? time) : time) : null
  if (acordoDesde !== null && time - acordoDesde >= DAY_MS) return takenOver(wall, acordoDesde)
  return {
    time,
    saltoDesde: before.saltoDesde,
    saltoMs: before.saltoMs,
    acordoDesde,
    duvidaDesde: isSameDoubt ? (before.duvidaDesde ?? time) : time,
    desvioMs: isSameDoubt ? before.desvioMs : desvioMs,
  }
}
