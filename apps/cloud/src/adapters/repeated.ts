/** Work that a process repeats by itself. */
export interface Repeated {
  start(): void
  /** Resolves when the work that has begun is done. */
  stop(): Promise<void>
}

/** Runs `work` at the start and then every `everyMs`, one at a time. */
export function createRepeated(
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (err: unknown) => void,
): Repeated {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = running.then(work).then(() => {}, onError)
  }
  return {
    start() {
      run()
      timer = setInterval(run, everyMs)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
