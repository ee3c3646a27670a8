export interface WatchdogOptions {
  /** Longest silence, ms. */
  readonly silenceMs: number
  /** Longest time to the first sign of life, ms. */
  readonly firstMs: number
  /** Called once, after which the watchdog has stopped. `limitMs`: the limit that was exceeded. */
  onSilence(limitMs: number): void
}

export interface Watchdog {
  /** A sign of life. The next one is due within `nextMs`; `silenceMs` unless given. */
  heard(nextMs?: number): void
  /** Silence so far, ms. */
  silentMs(): number
  stop(): void
}

/**
 * Calls `onSilence` when no sign of life comes in time. Silence is counted in ticks of this process, at most two tick lengths each: a gap
 * in which this process did not run (SIGSTOP, suspended machine, blocked event loop) does not count against the other one.
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
