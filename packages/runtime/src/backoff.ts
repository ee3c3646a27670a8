export interface BackoffLimits {
  /** Ceiling of the first wait. */
  readonly minMs: number
  /** Highest ceiling. */
  readonly maxMs: number
  /** Range of the random wait: two multiples of the ceiling, or `full`, from `minMs` to the ceiling. Default EQUAL. */
  readonly jitter?: readonly [low: number, high: number] | 'full' | undefined
}

/** "Equal jitter": half of the wait is fixed, half is random. */
const EQUAL = [0.5, 1] as const

/**
 * Wait before the next attempt. The ceiling doubles with each failure in a row up to `maxMs`. The jitter keeps programs
 * that failed together from a next attempt at the same instant. Source: Brooker, "Exponential Backoff And Jitter", AWS
 * Architecture Blog, 2015, which compares equal and full jitter. Runs in a browser, too.
 * @param failures number of consecutive failures before this wait; 0 gives the first ceiling
 * @param random uniform, 0 to 1
 */
export function backoffMs(
  failures: number,
  { minMs, maxMs, jitter = EQUAL }: BackoffLimits,
  random: () => number = Math.random,
): number {
  // The exponent is bounded, because a larger power becomes Infinity; every ceiling is then `maxMs`.
  const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30))
  const [low, high] = jitter === 'full' ? [minMs / ceiling, 1] : jitter
  return Math.round(ceiling * (low + random() * (high - low)))
}
