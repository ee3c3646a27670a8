/** Value below which the share `p` (0–1) of `values` lies; NaN without values. Nearest rank. */
export function percentile(values: readonly number[] | Float64Array, p: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] ?? Number.NaN
}

/** The middle value (the upper one of two); NaN without values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
