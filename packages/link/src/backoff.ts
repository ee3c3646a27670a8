export interface BackoffLimits {
  /** Wait after the first failure, ms. */
  readonly minMs: number
  /** Longest wait, ms. */
  readonly maxMs: number
}

/**
 * Wait before attempt number `failures + 1`, ms. It doubles up to the limit and has equal jitter: the upper half is
 * random. The sites of one broker therefore do not reconnect at the same instant.
 */
export function backoffMs(failures: number, { minMs, maxMs }: BackoffLimits, random: () => number): number {
  const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30))
  return Math.round(ceiling * (0.5 + random() / 2))
}
