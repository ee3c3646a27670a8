import type { LinkLog } from '@vigia/link/log'

/** Any host that reaches the port can cause refusals; their log lines must not fill the disk. */
export interface RefusalLog {
  log(fields: object, message: string): void
}

const MAX_PER_WINDOW = 20
const WINDOW_MS = 10_000

/**
 * @param clock monotonic, in ms
 * @param onRefused called for every refusal, also one without a log line
 */
export function createRefusalLog(
  log: LinkLog,
  clock: () => number = () => performance.now(),
  onRefused: () => void = () => {},
): RefusalLog {
  let windowStart = Number.NEGATIVE_INFINITY
  let written = 0
  let omitted = 0

  return {
    log: (fields, message) => {
      onRefused()
      const now = clock()
      if (now - windowStart >= WINDOW_MS) {
        if (omitted > 0) log.warn({ omitidas: omitted }, 'more refusals were not logged')
        windowStart = now
        written = 0
        omitted = 0
      }
      if (written >= MAX_PER_WINDOW) {
        omitted += 1
        return
      }
      written += 1
      log.warn(fields, message)
    },
  }
}
