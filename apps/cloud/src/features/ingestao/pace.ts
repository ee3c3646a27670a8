import { setTimeout as wait } from 'node:timers/promises'

/** Average rates of one edge. */
export interface PaceLimits {
  readonly recordsPerS: number
  readonly bytesPerS: number
}

/** Keeps each edge within its rates and runs the batches of all edges in turns. */
export interface Pace {
  /**
   * Runs `work` when the edge is within its rates and has its turn, then charges the batch to the edge. `work` returns
   * the number of records in the batch. The caller runs at most one batch of an edge at a time.
   */
  run(edgeId: number, bytes: number, work: () => Promise<number>): Promise<void>
}

/** Fixed cost of a batch (transaction, fsync, answer), in records. */
const BATCH_COST = 16
/**
 * Records in the largest batch that this project's edge sends. Each further record costs four, because larger batches
 * occupy the database longer.
 */
const USUAL_RECORDS = 64
const FURTHER_RECORD_COST = 4
/** Burst that an edge may use beyond its rates. */
const BURST_MS = 1_000
/** Concurrent batches: while one waits for its pictures on the disk, another uses the database. */
const AT_ONCE = 4
/** Number of entries above which idle edges are removed. */
const SWEEP_ABOVE = 1_000

const costOf = (records: number): number =>
  BATCH_COST + Math.min(records, USUAL_RECORDS) + Math.max(0, records - USUAL_RECORDS) * FURTHER_RECORD_COST

/** @param monotonic ms */
export function createPace({ recordsPerS, bytesPerS }: PaceLimits, monotonic: () => number): Pace {
  /** End of the used rates by edge in monotonic ms (generic cell rate algorithm). */
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

  /**
   * Edges run in the order of their requests. Each edge waits with one batch at most, so that no edge runs twice before
   * another.
   */
  async function turn<T>(work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Yields to the event loop, which answers requests that arrived during the batch before the next one runs.
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
