/**
 * Runs one item at a time per key, with a pause after each. Of the items that arrive meanwhile only the newest is kept.
 * For messages that replace the previous one completely.
 */
export interface NewestOnly<Value> {
  push(key: number, value: Value): void
  /** Drops waiting items. */
  stop(): void
}

/** @param run must not reject: it handles its own failures */
export function createNewestOnly<Value>(
  pauseMs: number,
  run: (key: number, value: Value) => Promise<void>,
): NewestOnly<Value> {
  /** The waiting item of each key that is running or pausing; null: no item waits. */
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
