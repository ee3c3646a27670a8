/** A share with its 95 % interval. */
export interface Share {
  readonly k: number
  readonly n: number
  readonly de: number
  readonly ate: number
}

const Z = 1.96

/** Interval of a share (Wilson, JASA 22, 1927): valid also for shares near 0 and 1. */
export function shareOf(k: number, n: number): Share {
  if (n === 0) return { k, n, de: 0, ate: 1 }
  const p = k / n
  const middle = p + Z ** 2 / (2 * n)
  const half = Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2))
  const scale = 1 + Z ** 2 / n
  return { k, n, de: Math.max(0, (middle - half) / scale), ate: Math.min(1, (middle + half) / scale) }
}
