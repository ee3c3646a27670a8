import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { isPostgres } from '../postgres-dialect.ts'
import { claimWork, expireLeases, nextDue, readyDue } from './claims.ts'
import { createItems, type ItemsDeps, LEASE_MS } from './items.ts'

export interface WorkerOptions extends ItemsDeps {
  /** Maximum concurrent items in this process, of one root Empresa, and of one Empresa. */
  readonly atOnce: number
  readonly perRoot?: number
  readonly perEmpresa?: number
  /** Whether no other process shares a SQLite database; claims of a former process are then due at the start. */
  readonly alone?: boolean
  /** Whether this process can do the work now. While it cannot, it claims none. Absent: always. */
  readonly isReady?: () => boolean
}

export interface Worker {
  start(): void
  /** Aborts the running items and releases their open claims. */
  stop(): Promise<void>
  /** Call it when there may be claimable work. */
  wake(): void
}

/** Longest sleep: another process may have added work. */
const IDLE_MS = 2_000
const AFTER_ERROR_MS = 2_000
/** After a round without an item. Each event and each verdict wakes every worker, mostly for nothing. */
const AFTER_EMPTY_MS = 50

/**
 * Processes one kind of work. The table is the queue: the worker keeps no state, and any number of processes share it.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { db, clock, log, tipo, atOnce, perRoot = atOnce, perEmpresa = atOnce, longestWaitMs, isReady } = options
  const stopping = new AbortController()
  const { sleep, wake, interrupt } = createSleep(stopping.signal)
  const items = createItems(options, wake)
  const pause = createPause()
  let loop: Promise<void> = Promise.resolve()

  /** Monotonic ms. */
  let sweepAt = 0
  /** Makes due items ready. Returns the time at which the next one is due. */
  async function readyNow(): Promise<number | null> {
    const due = await nextDue(db, tipo)
    // `readyDue` also finds items of before the clock was set back.
    if (performance.now() < sweepAt && (due === null || due > clock.now())) return due
    sweepAt = performance.now() + IDLE_MS
    const longestMs = Math.max(2 * LEASE_MS, 2 * longestWaitMs)
    if (await readyDue(db, tipo, clock.now(), longestMs, items.held())) wake()
    return nextDue(db, tipo)
  }

  async function step(): Promise<void> {
    if (isReady?.() === false) return sleep(IDLE_MS)
    const due = await readyNow()
    let begun = 0
    while (begun < atOnce && items.size() < atOnce && !stopping.signal.aborted) {
      const claim = await claimWork(db, {
        tipo,
        posse: randomUUID(),
        until: clock.now() + LEASE_MS,
        exceptRoots: items.full('raiz_id', perRoot),
        exceptEmpresas: items.full('empresa_id', perEmpresa),
      })
      if (!claim) break
      items.begin(claim)
      begun += 1
    }
    if (begun > 0) await pause(begun)
    else await wait(AFTER_EMPTY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    await sleep(due === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(50, due - clock.now())))
  }

  const run = async () => {
    // If this fails, the leases expire anyway.
    if (options.alone && !isPostgres(db))
      await expireLeases(db, tipo).catch((err: unknown) =>
        log.warn({ err, tipo }, 'leases of a former process not expired'),
      )
    while (!stopping.signal.aborted)
      await step().catch(async (err: unknown) => {
        log.error({ err, tipo }, 'work queue not read; retrying')
        await sleep(AFTER_ERROR_MS)
      })
  }

  return {
    start() {
      loop = run()
    },
    async stop() {
      stopping.abort()
      items.endAll()
      interrupt()
      await loop
      // Items that began in the meantime.
      items.endAll()
      await items.done()
    },
    wake,
  }
}

/** Sleep that `wake` ends, also a `wake` before it began. `interrupt` ends only a sleep that has begun. */
function createSleep(stopping: AbortSignal) {
  let woken = false
  let interrupt = () => {}
  return {
    wake() {
      woken = true
      interrupt()
    },
    interrupt: () => interrupt(),
    async sleep(ms: number): Promise<void> {
      if (!woken && !stopping.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          interrupt = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      woken = false
    },
  }
}

/**
 * SQLite answers synchronously. Work that needs only the database (an event without a picture) would block requests.
 * Each item costs ITEM_MS; beyond the burst, a pause follows each round.
 */
const ITEM_MS = 10
const BURST_MS = 300
const BETWEEN_ROUNDS_MS = 20

/** Returns the pause after a round. @param begun items of the round */
function createPause(): (begun: number) => Promise<void> {
  /** Monotonic ms. */
  let usedUntil = 0
  return async (begun) => {
    const now = performance.now()
    usedUntil = Math.max(now, usedUntil) + begun * ITEM_MS
    await (usedUntil - now > BURST_MS ? wait(BETWEEN_ROUNDS_MS) : setImmediate())
  }
}
