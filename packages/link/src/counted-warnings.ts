import type { LinkLog } from './log.ts'

/** Rate-limited log for warnings that a peer can trigger without end: one line a cause and period, with a count. */
export interface CountedWarnings {
  warn(cause: string, fields: object, message: string): void
}

const PERIOD_MS = 10_000
/** Largest number of distinct causes in one period. */
const CAUSES_MAX = 10_000

/** @param monotonic ms */
export function createCountedWarnings(
  log: Pick<LinkLog, 'warn'>,
  monotonic: () => number = () => performance.now(),
): CountedWarnings {
  let periodEnd = Number.NEGATIVE_INFINITY
  const counts = new Map<string, { n: number; fields: object; message: string }>()

  function endPeriod(now: number): void {
    for (const { n, fields, message } of counts.values()) if (n > 0) log.warn({ ...fields, more: n }, message)
    counts.clear()
    periodEnd = now + PERIOD_MS
  }

  return {
    warn(cause, fields, message) {
      const now = monotonic()
      if (now >= periodEnd) endPeriod(now)
      const known = counts.get(cause)
      if (known) counts.set(cause, { n: known.n + 1, fields, message })
      else if (counts.size < CAUSES_MAX) {
        counts.set(cause, { n: 0, fields, message })
        log.warn(fields, message)
      }
    },
  }
}
