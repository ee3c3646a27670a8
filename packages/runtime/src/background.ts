/** Work of a process that goes on beside its requests. */
export interface Background {
  start(): void
  /** Aborts the signal of the work, and waits for its end. */
  stop(): Promise<void>
}

/** @param run resolves when the work is done or its signal aborts; never rejects */
export function createBackground(run: (signal: AbortSignal) => Promise<void>): Background {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  return {
    start() {
      running = run(stopping.signal)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
