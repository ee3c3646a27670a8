import type { EdgeLineage } from './edge-lineage.ts'
import type { Shares } from './shares.ts'

/**
 * Runs items of one edge in order, one at a time, and those of different edges in parallel. Waiting items are bounded
 * per edge, and their bytes by the shares of edge, Empresa, root and all.
 */
export interface SerialQueues<Kind> {
  /** false: no space, the item was dropped. */
  push(edgeId: number, payload: Buffer, kind: Kind): boolean
  /** Resolves when all items accepted so far have run. */
  idle(): Promise<void>
}

/** Memory of waiting messages, and who pays for it. */
export interface QueueSpace {
  readonly shares: Shares
  lineageOf(edgeId: number): EdgeLineage
}

interface Chain {
  tail: Promise<void>
  items: number
}

/**
 * @param perEdge largest number of waiting and running items of one edge
 * @param run must not reject: it handles its own failures
 */
export function createSerialQueues<Kind>(
  perEdge: number,
  { shares, lineageOf }: QueueSpace,
  run: (edgeId: number, payload: Buffer, kind: Kind) => Promise<void>,
): SerialQueues<Kind> {
  const chains = new Map<number, Chain>()

  return {
    push: (edgeId, payload, kind) => {
      const chain = chains.get(edgeId) ?? { tail: Promise.resolve(), items: 0 }
      const lineage = lineageOf(edgeId)
      if (chain.items >= perEdge || !shares.take(lineage, payload.length)) return false
      chains.set(edgeId, chain)
      chain.items += 1
      chain.tail = chain.tail
        .then(() => run(edgeId, payload, kind))
        .finally(() => {
          chain.items -= 1
          shares.give(lineage, payload.length)
          if (chain.items === 0) chains.delete(edgeId)
        })
      return true
    },
    idle: async () => {
      await Promise.all([...chains.values()].map((chain) => chain.tail))
    },
  }
}
