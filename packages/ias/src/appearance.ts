/** Histogram of the colours of an object; the sum is 1. Two appearances are comparable if they have the same bins. */
export type Appearance = readonly number[]

/**
 * Minimum likeness of two appearances of one person. On the campus of the demonstration the two ends of one track were
 * at least 0.74 alike. Half of the pairs of different people were below 0.6.
 */
const ONE_PERSON = 0.65

/** Bhattacharyya coefficient of two histograms, 0–1. 1: equal. */
export function likenessOf(a: Appearance, b: Appearance): number {
  return a.reduce((sum, value, bin) => sum + Math.sqrt(value * (b[bin] ?? 0)), 0)
}

/** Whether the appearances can be of one person; true if one of them is unknown. */
export const mayBeOne = (a: Appearance | undefined, b: Appearance | undefined): boolean =>
  !a || !b || likenessOf(a, b) >= ONE_PERSON

/** `mean` moved towards `next` by `gain`, 0–1. */
export const blend = (mean: Appearance, next: Appearance, gain: number): Appearance =>
  mean.map((value, bin) => value + ((next[bin] ?? 0) - value) * gain)
