import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { runActivity } from '@vigia/runtime/activity'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Tracing } from '@vigia/runtime/spans'
import { noTracing } from '@vigia/runtime/tracing'
import type { Clock } from '../../adapters/clock.ts'
import type { Logger } from '../../http/request-log.ts'
import type { Database } from '../open.ts'
import { isPostgres } from '../postgres-dialect.ts'
import { transact } from '../transaction.ts'
import { claimWork, expireLeases, nextDue, readyDue } from './claims.ts'
import { type Claim, extendLease, failWork, giveBackWork } from './queue.ts'
import type { TipoTrabalho } from './turns.ts'

export interface WorkerOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly tipo: TipoTrabalho
  /** Maximum concurrent items in this process, of one root Empresa, and of one Empresa. */
  readonly atOnce: number
  readonly perRoot?: number
  readonly perEmpresa?: number
  /** Whether no other process shares a SQLite database; claims of a former process are then due at the start. */
  readonly alone?: boolean
  /** Longest deferral of an attempt of this kind. */
  readonly longestWaitMs: number
  /** Each attempt at an item with a trace is a span named by `tipo`. */
  readonly tracing?: Tracing
  /**
   * Does the work and ends the claim (`finishWork`, `failWork`) in the transaction of its result. A rejection counts as
   * a failed attempt.
   * @param signal aborts when the worker stops or loses the lease; an open claim is then released without counting an
   * attempt
   */
  readonly handle: (claim: Claim, signal: AbortSignal) => Promise<void>
}

export interface Worker {
  start(): void
  /** Aborts the running items and releases their open claims. */
  stop(): Promise<void>
  /** Call it when there may be claimable work. */
  wake(): void
}

/** Duration of a lease. A running process renews it three times in this time. */
export const LEASE_MS = 15_000
/** Longest sleep: another process may have added work. */
const IDLE_MS = 2_000
const AFTER_ERROR_MS = 2_000
/** After a round without an item. Each event and each verdict wakes every worker, mostly for nothing. */
const AFTER_EMPTY_MS = 50
/**
 * SQLite answers synchronously. Work that needs only the database (an event without a picture) would block requests.
 * Each item costs ITEM_MS; beyond the burst, a pause follows each round.
 */
const ITEM_MS = 10
const BURST_MS = 300
const BETWEEN_ROUNDS_MS = 20
/** First deferral after an internal error. Later ones double up to `longestWaitMs`. */
const FIRST_WAIT_MS = 5_000
/** An internal error involves no shared server, so that retries need no jitter. */
const NO_JITTER = [1, 1] as const

/**
 * Processes one kind of work. The table is the queue: the worker keeps no state, and any number of processes share it.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { db, clock, log, tipo, atOnce, perRoot = atOnce, perEmpresa = atOnce, longestWaitMs, handle } = options
  const { tracing = noTracing } = options
  const stopping = new AbortController()
  const underWay = new Map<string, { claim: Claim; ending: AbortController; done: Promise<void> }>()
  let loop: Promise<void> = Promise.resolve()
  let woken = false
  let interrupt = () => {}

  const wake = () => {
    woken = true
    interrupt()
  }

  const sleep = async (ms: number) => {
    if (!woken && !stopping.signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        interrupt = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    woken = false
  }

  /** Ids that have reached their limit of concurrent items. */
  const full = (field: 'raiz_id' | 'empresa_id', most: number): number[] => {
    const counts = Map.groupBy([...underWay.values()], ({ claim }) => claim[field])
    return [...counts].flatMap(([id, some]) => (some.length >= most ? [id] : []))
  }

  async function work(claim: Claim, ending: AbortController): Promise<void> {
    const renewal = setInterval(() => {
      extendLease(db, claim, clock.now() + LEASE_MS).then(
        (held) => held || ending.abort(),
        (err: unknown) => log.warn({ err, trabalho_id: claim.id }, 'lease not renewed'),
      )
    }, LEASE_MS / 3)
    try {
      await handle(claim, ending.signal)
      if (ending.signal.aborted) await transact(db, (tx) => giveBackWork(tx, claim))
    } catch (err) {
      log.error({ err, trabalho_id: claim.id, tipo }, 'work failed; retrying')
      const now = clock.now()
      const em = now + backoffMs(claim.tentativas, { minMs: FIRST_WAIT_MS, maxMs: longestWaitMs, jitter: NO_JITTER })
      const erro = 'Falha interna. O registro do servidor diz mais.'
      await transact(db, (tx) => failWork(tx, claim, { erro, now, next: { estado: 'recuo', em } }))
    } finally {
      clearInterval(renewal)
    }
  }

  const startSpan = ({ id, tentativas, traceparent }: Claim) =>
    (traceparent === null ? noTracing : tracing).start(tipo, {
      parent: traceparent,
      attributes: { 'vigia.work_id': id, 'vigia.attempt': tentativas + 1 },
    })

  function begin(claim: Claim): void {
    const ending = new AbortController()
    const span = startSpan(claim)
    const activity = { fields: { trabalho_id: claim.id, trabalho: tipo }, traceparent: span.traceparent }
    const done = runActivity(activity, () => work(claim, ending))
      // The lease expires anyway.
      .catch((err: unknown) => log.error({ err, trabalho_id: claim.id, tipo }, 'result of work not written'))
      .then(() => {
        span.end()
        underWay.delete(claim.posse)
        wake()
      })
    underWay.set(claim.posse, { claim, ending, done })
  }

  /** Monotonic ms. */
  let usedUntil = 0
  async function pause(begun: number): Promise<void> {
    const now = performance.now()
    usedUntil = Math.max(now, usedUntil) + begun * ITEM_MS
    await (usedUntil - now > BURST_MS ? wait(BETWEEN_ROUNDS_MS) : setImmediate())
  }

  /** Monotonic ms. */
  let sweepAt = 0
  /** Makes due items ready. Returns the time at which the next one is due. */
  async function readyNow(): Promise<number | null> {
    const due = await nextDue(db, tipo)
    // `readyDue` also finds items of before the clock was set back.
    if (performance.now() < sweepAt && (due === null || due > clock.now())) return due
    sweepAt = performance.now() + IDLE_MS
    const longestMs = Math.max(2 * LEASE_MS, 2 * longestWaitMs)
    if (await readyDue(db, tipo, clock.now(), longestMs, [...underWay.keys()])) wake()
    return nextDue(db, tipo)
  }

  async function step(): Promise<void> {
    const due = await readyNow()
    let begun = 0
    while (begun < atOnce && underWay.size < atOnce && !stopping.signal.aborted) {
      const claim = await claimWork(db, {
        tipo,
        posse: randomUUID(),
        until: clock.now() + LEASE_MS,
        exceptRoots: full('raiz_id', perRoot),
        exceptEmpresas: full('empresa_id', perEmpresa),
      })
      if (!claim) break
      begin(claim)
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
      const endAll = () => {
        for (const { ending } of underWay.values()) ending.abort()
      }
      stopping.abort()
      endAll()
      interrupt()
      await loop
      // Items that began in the meantime.
      endAll()
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
    wake,
  }
}
