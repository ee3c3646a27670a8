import type { LinkLog } from './log.ts'

/** Warnings that somebody else can cause without end: one line for each cause and period, with how many it stands for. */
export interface CountedWarnings {
  warn(cause: string, fields: object, message: string): void
}

const PERIOD_MS = 10_000
/** Causes that are told apart in one period. */
const MOST_CAUSES = 10_000

/** @param monotonic ms */
export function createCountedWarnings(
  log: Pick<LinkLog, 'warn'>,
  monotonic: () => number = () => performance.now(),
): CountedWarnings {
  let periodEnd = Number.NEGATIVE_INFINITY
  const unsaid = new Map<string, { n: number; fields: object; message: string }>()

  function endPeriod(now: number): void {
    for (const { n, fields, message } of unsaid.values()) if (n > 0) log.warn({ ...fields, more: n }, message)
    unsaid.clear()
    periodEnd = now + PERIOD_MS
  }

  return {
    warn(cause, fields, message) {
      const now = monotonic()
      if (now >= periodEnd) endPeriod(now)
      const known = unsaid.get(cause)
      if (known) unsaid.set(cause, { n: known.n + 1, fields, message })
      else if (unsaid.size < MOST_CAUSES) {
        unsaid.set(cause, { n: 0, fields, message })
        log.warn(fields, message)
      }
    },
  }
}
