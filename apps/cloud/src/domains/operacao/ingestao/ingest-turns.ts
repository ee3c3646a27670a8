import { type EdgeLineage, ownLineage, type PerLevel } from '@vigia/link/edge-lineage'
import { createFairTurns } from '@vigia/link/fair-turns'
import { createRates } from '@vigia/link/rates'

/** Average rates of an edge, of an Empresa and of a root Empresa. */
export interface IngestRates {
  readonly records: PerLevel
  readonly bytes: PerLevel
}

/**
 * Keeps edges, Empresas and root Empresas within their rates, and runs the messages of edges in turns. The turn goes
 * from root to root, then from Empresa to Empresa, then from edge to edge.
 */
export interface IngestTurns {
  /**
   * Runs `work` when the edge is within its rates and has its turn, then charges the message to the edge. `work`
   * returns the number of its records.
   */
  run(edgeId: number, bytes: number, work: () => Promise<number>): Promise<void>
}

/** Fixed cost of a message (transaction, fsync, answer), in records. */
const BATCH_COST = 16
/**
 * Records in the largest batch that this project's edge sends. Each further record costs four, because larger batches
 * occupy the database longer.
 */
const USUAL_RECORDS = 64
const FURTHER_RECORD_COST = 4
/** Burst that each unit may use beyond its rates. */
const BURST_MS = 1_000
/** Concurrent messages: while one waits for its pictures on the disk, another uses the database. */
export const AT_ONCE = 4
/** The last one is free for other roots. */
export const AT_ONCE_OF_ROOT = AT_ONCE - 1
/** Rates of an Empresa and of a root Empresa, as a multiple of the rate of an edge. */
const EMPRESA_RATE = 2
const ROOT_RATE = 3

const costOf = (records: number): number =>
  BATCH_COST + Math.min(records, USUAL_RECORDS) + Math.max(0, records - USUAL_RECORDS) * FURTHER_RECORD_COST

/** Rates of the wider units from the rate of an edge. */
export const ratesFor = (edge: number): PerLevel => ({ edge, empresa: EMPRESA_RATE * edge, root: ROOT_RATE * edge })

interface IngestTurnsDeps {
  readonly limits: IngestRates
  /** Default: each edge is its own root. */
  readonly lineageOf?: (edgeId: number) => EdgeLineage
  /** ms */
  readonly monotonic: () => number
}

export function createIngestTurns({ limits, lineageOf = ownLineage, monotonic }: IngestTurnsDeps): IngestTurns {
  const rates = createRates({ records: limits.records, bytes: limits.bytes }, BURST_MS, monotonic)
  const turns = createFairTurns<{ readonly lineage: EdgeLineage; begin(): void }>()
  const runningOf = new Map<string, number>()
  let running = 0
  let timer: NodeJS.Timeout | undefined

  function count({ root }: EdgeLineage, by: 1 | -1): void {
    running += by
    const of = (runningOf.get(root) ?? 0) + by
    if (of > 0) runningOf.set(root, of)
    else runningOf.delete(root)
  }

  function beginNext(): void {
    clearTimeout(timer)
    let soonestMs = Number.POSITIVE_INFINITY
    while (running < AT_ONCE) {
      const next = turns.take({
        unit: (level, key) => {
          if (level === 'root' && (runningOf.get(key) ?? 0) >= AT_ONCE_OF_ROOT) return false
          const waitMs = rates.unitWaitMs(level, key)
          if (waitMs > 0) soonestMs = Math.min(soonestMs, waitMs)
          return waitMs === 0
        },
      })
      if (next === undefined) break
      count(next.lineage, 1)
      next.begin()
    }
    if (Number.isFinite(soonestMs)) timer = setTimeout(beginNext, Math.ceil(soonestMs)).unref()
  }

  return {
    async run(edgeId, bytes, work) {
      const lineage = lineageOf(edgeId)
      const turn = Promise.withResolvers<void>()
      turns.push(lineage, { lineage, begin: turn.resolve })
      beginNext()
      await turn.promise
      let records = 0
      try {
        records = await work()
      } finally {
        rates.charge(lineage, { records: costOf(records), bytes })
        // Yields to the event loop, which answers requests that arrived during the batch before the next one runs.
        setImmediate(() => {
          count(lineage, -1)
          beginNext()
        })
      }
    },
  }
}
