/**
 * Runs work one after the other per key, different keys side by side. What is waiting is bounded per key and in all. A key takes
 * no more bytes than are still free: many noisy keys leave room for the others as well (dynamic thresholds, Choudhury and Hahne 1998).
 */
export interface SerialQueues {
  /** false: no room, the item was dropped. */
  push(key: number, payload: Buffer): boolean
  /** Resolves when everything accepted so far has run. */
  idle(): Promise<void>
}

export interface SerialQueueLimits {
  /** Items of one key that wait or run. */
  readonly perKey: number
  /** Bytes of one key that wait or run. */
  readonly bytesPerKey: number
  /** Bytes of all keys together. */
  readonly bytes: number
}

interface Chain {
  tail: Promise<void>
  items: number
  bytes: number
}

/** @param run must not reject: a failure is the business of whoever knows what it means */
export function createSerialQueues(
  limits: SerialQueueLimits,
  run: (key: number, payload: Buffer) => Promise<void>,
): SerialQueues {
  const chains = new Map<number, Chain>()
  let bytes = 0

  return {
    push: (key, payload) => {
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
        .then(() => run(key, payload))
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
