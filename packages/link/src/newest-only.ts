import type { EdgeLineage } from './edge-lineage.ts'
import type { QueueSpace } from './serial-queues.ts'

/**
 * Runs one item at a time per edge, with a pause after each. Only the newest of the items that arrive meanwhile is
 * kept. For messages that replace the previous one completely.
 */
export interface NewestOnly<Value> {
  /** false: no space for the bytes of the item. It was dropped, and a waiting one stays. */
  push(edgeId: number, value: Value, bytes?: number): boolean
  /** Drops waiting items. */
  stop(): void
}

interface Item<Value> {
  readonly value: Value
  readonly bytes: number
  readonly lineage: EdgeLineage
}

/** @param run must not reject: it handles its own failures */
export function createNewestOnly<Value>(
  pauseMs: number,
  { shares, lineageOf }: QueueSpace,
  run: (edgeId: number, value: Value) => Promise<void>,
): NewestOnly<Value> {
  /** The waiting item of each edge that is running or pausing; null: no item waits. */
  const waiting = new Map<number, Item<Value> | null>()
  let stopped = false
  const release = ({ lineage, bytes }: Item<Value>) => shares.give(lineage, bytes)

  async function begin(edgeId: number, item: Item<Value>): Promise<void> {
    waiting.set(edgeId, null)
    await run(edgeId, item.value)
    release(item)
    setTimeout(() => {
      const next = waiting.get(edgeId)
      waiting.delete(edgeId)
      if (!next) return
      if (stopped) release(next)
      else void begin(edgeId, next)
    }, pauseMs).unref()
  }

  return {
    push: (edgeId, value, bytes = 0) => {
      const lineage = lineageOf(edgeId)
      const before = waiting.get(edgeId)
      if (before) release(before)
      if (!shares.take(lineage, bytes)) {
        if (before) shares.take(before.lineage, before.bytes)
        return false
      }
      const item = { value, bytes, lineage }
      if (before === undefined) void begin(edgeId, item)
      else waiting.set(edgeId, item)
      return true
    },
    stop: () => {
      stopped = true
    },
  }
}
