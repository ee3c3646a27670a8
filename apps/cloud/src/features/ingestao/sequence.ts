/** Inclusive run of sequence numbers of one camera. */
export interface Interval {
  readonly de: number
  readonly ate: number
}

/**
 * What the arrival of `arrived` does to a sequence whose highest number so far is `last` (0: none yet).
 * `salto`: the numbers that were jumped over; `atrasado`: it lies at or before `last`, so it may fill an earlier jump.
 */
export function advanceSequence(
  last: number,
  arrived: Interval,
): { readonly ultimo: number; readonly salto: Interval | null; readonly atrasado: boolean } {
  return {
    ultimo: Math.max(last, arrived.ate),
    salto: arrived.de > last + 1 ? { de: last + 1, ate: arrived.de - 1 } : null,
    atrasado: arrived.de <= last,
  }
}

/** What is left of `gap` when `filled` is taken out of it: nothing, one piece or two. */
export function carveGap(gap: Interval, filled: Interval): Interval[] {
  return [
    { de: gap.de, ate: Math.min(gap.ate, filled.de - 1) },
    { de: Math.max(gap.de, filled.ate + 1), ate: gap.ate },
  ].filter(({ de, ate }) => de <= ate)
}
