import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'

export interface LoadMeter {
  stop(): void
}

const EVERY_MS = 5_000
/** Grain of the measurement, ms. The delays come on top of it and are taken off again. */
const RESOLUTION_MS = 10

/**
 * Says every few seconds how this process keeps up, as a line `load` of level debug; at any other level nothing is measured. All in ms or
 * bytes: `atraso_p99` and `atraso_max` of the event loop since the last line, `rss`, and what `more` adds.
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
