/**
 * Runs items of one key in order, one at a time, and different keys in parallel. Waiting items are bounded per key and
 * in total. A key holds at most as many bytes as are still free, so that busy keys leave space for others.
 * Source: dynamic thresholds, Choudhury and Hahne 1998.
 */
export interface SerialQueues<Kind> {
  /** false: no space, the item was dropped. */
  push(key: number, payload: Buffer, kind: Kind): boolean
  /** Resolves when all items accepted so far have run. */
  idle(): Promise<void>
}

export interface SerialQueueLimits {
  /** Largest number of waiting and running items of one key. */
  readonly perKey: number
  /** Largest number of waiting and running bytes of one key. */
  readonly bytesPerKey: number
  /** Largest number of bytes of all keys. */
  readonly bytes: number
}

interface Chain {
  tail: Promise<void>
  items: number
  bytes: number
}

/** @param run must not reject: it handles its own failures */
export function createSerialQueues<Kind>(
  limits: SerialQueueLimits,
  run: (key: number, payload: Buffer, kind: Kind) => Promise<void>,
): SerialQueues<Kind> {
  const chains = new Map<number, Chain>()
  let bytes = 0

  return {
    push: (key, payload, kind) => {
      const chain = chains.get(key) ?? { tail: Promise.resolve(), items: 0, bytes: 0 }
      const size = payload.length
      const free = limits.bytes - bytes
      const most = Math.min(limits.bytesPerKey, chain.items === 0 ? Number.POSITIVE_INFINITY : free)
      if (chain.items >= limits.perKey || chain.bytes + size > most || size > free) return false
      chains.set(key, chain)
      chain.items += 1
      chain.bytes += size
      bytes += size
      chain.tail = chain.tail
        .then(() => run(key, payload, kind))
        .finally(() => {
          chain.items -= 1
          chain.bytes -= size
          bytes -= size
          if (chain.items === 0) chains.delete(key)
        })
      return true
    },
    idle: async () => {
      await Promise.all([...chains.values()].map((chain) => chain.tail))
    },
  }
}
