/** Calls a function at the earliest of the planned times. The function plans the later ones again. */
export interface EarliestTimer {
  plan(inMs: number): void
  stop(): void
}

interface EarliestTimerOptions {
  run(): void
  /** Longest delay of a call, in ms. */
  readonly longestMs: number
  /** Monotonic ms. */
  monotonic(): number
}

export function createEarliestTimer({ run, longestMs, monotonic }: EarliestTimerOptions): EarliestTimer {
  let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null
  return {
    plan(inMs) {
      const waitMs = Math.min(Math.max(1, Math.ceil(inMs)), longestMs)
      const at = monotonic() + waitMs
      if (timer && timer.at <= at) return
      if (timer) clearTimeout(timer.handle)
      const handle = setTimeout(() => {
        timer = null
        run()
      }, waitMs)
      timer = { handle, at }
    },
    stop() {
      if (timer) clearTimeout(timer.handle)
    },
  }
}
