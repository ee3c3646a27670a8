/**
 * Runs work one at a time per key, with a pause behind each; of what comes meanwhile only the newest is kept. For messages of
 * which each says all that the one before it said.
 */
export interface NewestOnly<Value> {
  push(key: number, value: Value): void
  /** What waits is forgotten. */
  stop(): void
}

/** @param run must not reject: a failure is the business of whoever knows what it means */
export function createNewestOnly<Value>(
  pauseMs: number,
  run: (key: number, value: Value) => Promise<void>,
): NewestOnly<Value> {
  /** What waits behind the one that runs or has just run; null: nothing does. */
  const waiting = new Map<number, { readonly value: Value } | null>()
  let stopped = false

  async function begin(key: number, value: Value): Promise<void> {
    waiting.set(key, null)
    await run(key, value)
    setTimeout(() => {
      const next = waiting.get(key)
      waiting.delete(key)
      if (next && !stopped) void begin(key, next.value)
    }, pauseMs).unref()
  }

  return {
    push: (key, value) => {
      if (waiting.has(key)) waiting.set(key, { value })
      else void begin(key, value)
    },
    stop: () => {
      stopped = true
    },
  }
}
