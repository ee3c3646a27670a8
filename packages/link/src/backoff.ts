export interface BackoffLimits {
  /** Wait after the first failure, ms. */
  readonly minMs: number
  /** Longest wait, ms. */
  readonly maxMs: number
}

/**
 * How long to wait before attempt number `failures + 1`, ms: doubles up to the limit, and the upper half is drawn by chance,
 * so that the sites of one broker do not all come back in the same instant.
 */
export function backoffMs(failures: number, { minMs, maxMs }: BackoffLimits, random: () => number): number {
  const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30))
  return Math.round(ceiling * (0.5 + random() / 2))
}
