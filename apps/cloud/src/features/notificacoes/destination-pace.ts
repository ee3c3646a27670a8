import { backOff } from './back-off.ts'

/** A destination that took longer than this is a slow one, ms. */
const SLOW_MS = 2_000
/** New messages to a destination that fails wait this long at most, ms: when it is back, they are soon there. */
const LONGEST_PAUSE_MS = 5 * 60_000

/**
 * How each destination has lately behaved. One that fails is left alone for a while with all that waits for it, so that
 * it does not cost a slot for each of its messages.
 * @param now monotonic ms
 */
export function createPace(now: () => number) {
  const troubled = new Map<string, { readonly failures: number; readonly until: number }>()
  return {
    /** They failed before a restart: they are not left alone, but count as slow. */
    distrust(destinos: readonly string[]): void {
      for (const destino of destinos) if (!troubled.has(destino)) troubled.set(destino, { failures: 0, until: 0 })
    },
    paused(): string[] {
      const at = now()
      return [...troubled].flatMap(([destino, { until }]) => (until > at ? [destino] : []))
    },
    isSlow: (destino: string): boolean => troubled.has(destino),
    record(destino: string, ok: boolean, tookMs: number): void {
      if (ok && tookMs <= SLOW_MS) {
        troubled.delete(destino)
        return
      }
      const failures = ok ? 0 : (troubled.get(destino)?.failures ?? 0) + 1
      const pause = failures === 0 ? 0 : backOff(failures, Math.random(), LONGEST_PAUSE_MS)
      troubled.set(destino, { failures, until: now() + pause })
    },
  }
}
