import { setTimeout as wait } from 'node:timers/promises'

/** What one edge may send, on average over seconds. */
export interface PaceLimits {
  readonly recordsPerS: number
  readonly bytesPerS: number
}

/** Keeps the batches of each edge within its rates, and runs the batches of all edges in turns. */
export interface Pace {
  /**
   * Runs `work` when the edge is within its rates and its turn comes, and charges the edge with the batch. `work` returns how many
   * records the batch had. The batches of one edge come one at a time.
   */
  run(edgeId: number, bytes: number, work: () => Promise<number>): Promise<void>
}

/** What a batch costs beside its records (transaction, fsync, answer), in records. */
const BATCH_COST = 16
/** Records of the largest batch that an edge of ours sends. A larger one holds the database longer, so each further record costs four. */
const USUAL_RECORDS = 64
const FURTHER_RECORD_COST = 4
/** An edge may be ahead of its rates by this much, ms. */
const BURST_MS = 1_000
/** Batches that are worked on at a time: while one waits for its pictures to be on the disk, another uses the database. */
const AT_ONCE = 4
/** Edges are forgotten in a sweep once so many are known. */
const SWEEP_ABOVE = 1_000

const costOf = (records: number): number =>
  BATCH_COST + Math.min(records, USUAL_RECORDS) + Math.max(0, records - USUAL_RECORDS) * FURTHER_RECORD_COST

/** @param monotonic ms */
export function createPace({ recordsPerS, bytesPerS }: PaceLimits, monotonic: () => number): Pace {
  /** Until when each edge has used its rates, monotonic ms (generic cell rate algorithm). */
  const usedUntil = new Map<number, { records: number; bytes: number }>()
  const waiting: (() => void)[] = []
  let running = 0

  function charge(edgeId: number, records: number, bytes: number): void {
    const now = monotonic()
    if (usedUntil.size > SWEEP_ABOVE)
      for (const [id, used] of usedUntil) if (Math.max(used.records, used.bytes) <= now) usedUntil.delete(id)
    const used = usedUntil.get(edgeId) ?? { records: now, bytes: now }
    usedUntil.set(edgeId, {
      records: Math.max(now, used.records) + (costOf(records) / recordsPerS) * 1000,
      bytes: Math.max(now, used.bytes) + (bytes / bytesPerS) * 1000,
    })
  }

  async function untilWithinRates(edgeId: number): Promise<void> {
    const used = usedUntil.get(edgeId)
    const waitMs = used === undefined ? 0 : Math.max(used.records, used.bytes) - monotonic() - BURST_MS
    if (waitMs > 0) await wait(waitMs, undefined, { ref: false })
  }

  /** First come, first served: as an edge waits with one batch at a time, no edge comes twice before another. */
  async function turn<T>(work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The event loop comes round first: requests that arrived during the batch are answered before the next one.
      setImmediate(() => {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      })
    }
  }

  return {
    async run(edgeId, bytes, work) {
      await untilWithinRates(edgeId)
      let records = 0
      try {
        records = await turn(work)
      } finally {
        charge(edgeId, records, bytes)
      }
    },
  }
}
