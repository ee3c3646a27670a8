import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'

export interface LoadMeter {
  stop(): void
}

const EVERY_MS = 5_000
/** Resolution of the histogram. It is included in each measured delay and subtracted again. */
const RESOLUTION_MS = 10

/**
 * Logs the load of this process every few seconds as `load` at level debug; measures nothing at other levels. Its
 * fields are `atraso_p99` and `atraso_max` of the event loop in ms since the previous line, `rss` in bytes, and the
 * fields of `more`.
 */
export function createLoadMeter(log: Logger, more: () => Record<string, number>): LoadMeter {
  if (!log.isLevelEnabled('debug')) return { stop: () => {} }
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const late = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e5) / 10 - RESOLUTION_MS)
  const timer = setInterval(() => {
    const [atraso_p99, atraso_max] = [late(delays.percentile(99)), late(delays.max)]
    delays.reset()
    log.debug({ atraso_p99, atraso_max, rss: process.memoryUsage.rss(), ...more() }, 'load')
  }, EVERY_MS)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      delays.disable()
    },
  }
}
