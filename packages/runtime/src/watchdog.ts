export interface WatchdogOptions {
  /** Longest time between two life signs. */
  readonly silenceMs: number
  /** Longest time to the first life sign. */
  readonly firstMs: number
  /** Called once; the watchdog has stopped by then. `limitMs`: the exceeded limit. */
  onSilence(limitMs: number): void
}

export interface Watchdog {
  /** Handles a life sign. The next one is due within `nextMs`, default `silenceMs`. */
  heard(nextMs?: number): void
  /** Time since the last life sign, as counted by the watchdog. */
  silentMs(): number
  stop(): void
}

/**
 * Calls `onSilence` when a life sign is late. Each tick of this process adds at most two tick lengths. A time in which
 * this process did not run (SIGSTOP, suspended machine, blocked event loop) therefore does not count.
 */
export function createWatchdog({ silenceMs, firstMs, onSilence }: WatchdogOptions): Watchdog {
  const tickMs = Math.min(1_000, Math.ceil(Math.min(silenceMs, firstMs) / 5))
  let limitMs = firstMs
  let silentMs = 0
  let tickedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    silentMs += Math.min(now - tickedAt, 2 * tickMs)
    tickedAt = now
    if (silentMs <= limitMs) return
    clearInterval(timer)
    onSilence(limitMs)
  }, tickMs)
  return {
    heard: (nextMs = silenceMs) => {
      silentMs = 0
      limitMs = nextMs
    },
    silentMs: () => silentMs,
    stop: () => clearInterval(timer),
  }
}
