import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Clock } from '../../adapters/clock.ts'
import type { Logger } from '../../http/request-log.ts'
import type { Database } from '../open.ts'
import { claimWork, expireLeases, nextDue, readyDue } from './claims.ts'
import { type Claim, extendLease, failWork, giveBackWork } from './queue.ts'
import type { TipoTrabalho } from './turns.ts'

export interface WorkerOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly tipo: TipoTrabalho
  /** Items under way at once in this process; of one root Empresa; of one Empresa. */
  readonly atOnce: number
  readonly perRoot?: number
  readonly perEmpresa?: number
  /** Whether no other process works on this database: what a former one left is then due at the start, not after its lease. */
  readonly alone?: boolean
  /** Longest time that a try of this kind is put off, ms. */
  readonly longestWaitMs: number
  /**
   * Does the work, and ends the claim (`finishWork`, `failWork`) in the transaction of its result. A rejection counts as a try that failed.
   * @param signal aborts when the worker stops, or the lease is lost: a claim that is not ended then is given back without counting a try
   */
  readonly handle: (claim: Claim, signal: AbortSignal) => Promise<void>
}

export interface Worker {
  start(): void
  /** Ends what is under way; what did not end is given back. */
  stop(): Promise<void>
  /** There may be something to claim. */
  wake(): void
}

/** A process that died leaves its items for this long, ms; a living one renews three times in it. */
export const LEASE_MS = 15_000
/** Longest sleep, ms: another process may have added work. */
const IDLE_MS = 2_000
const AFTER_ERROR_MS = 2_000
/**
 * SQLite answers within the turn of the event loop that asks: work that needs nothing but the database (an event without a picture) would
 * leave no time for requests. Each item uses up so many ms; beyond a burst, a round is followed by a pause.
 */
const ITEM_MS = 10
const BURST_MS = 300
const BETWEEN_ROUNDS_MS = 20
/** After a try that ended in an error of the program, ms; doubles up to the longest. */
const FIRST_WAIT_MS = 5_000
/** The failure is inside this program: no other one tries again at the same instant. */
const NO_JITTER = [1, 1] as const

/** Works through one kind of work. The queue is the table: nothing is remembered here, and any number of processes share it. */
export function createWorker(options: WorkerOptions): Worker {
  const { db, clock, log, tipo, atOnce, perRoot = atOnce, perEmpresa = atOnce, longestWaitMs, handle } = options
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

  /** Those of which no more may be under way. */
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
      if (ending.signal.aborted) await db.transaction().execute((tx) => giveBackWork(tx, claim))
    } catch (err) {
      log.error({ err, trabalho_id: claim.id, tipo }, 'work failed; trying again')
      const now = clock.now()
      const em = now + backoffMs(claim.tentativas, { minMs: FIRST_WAIT_MS, maxMs: longestWaitMs, jitter: NO_JITTER })
      const erro = 'Falha interna. O registro do servidor diz mais.'
      await db.transaction().execute((tx) => failWork(tx, claim, { erro, now, next: { estado: 'recuo', em } }))
    } finally {
      clearInterval(renewal)
    }
  }

  function begin(claim: Claim): void {
    const ending = new AbortController()
    const done = work(claim, ending)
      // The lease ends by itself.
      .catch((err: unknown) => log.error({ err, trabalho_id: claim.id, tipo }, 'end of work not written'))
      .then(() => {
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

  async function step(): Promise<void> {
    const longestMs = Math.max(2 * LEASE_MS, 2 * longestWaitMs)
    if (await readyDue(db, tipo, clock.now(), longestMs, [...underWay.keys()])) wake()
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
    const due = await nextDue(db, tipo)
    await sleep(due === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(50, due - clock.now())))
  }

  const run = async () => {
    // Without it, the leases end by themselves.
    if (options.alone)
      await expireLeases(db, tipo).catch((err: unknown) =>
        log.warn({ err, tipo }, 'leases of a former process not ended'),
      )
    while (!stopping.signal.aborted)
      await step().catch(async (err: unknown) => {
        log.error({ err, tipo }, 'work queue not read; trying again')
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
      // What began meanwhile.
      endAll()
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
    wake,
  }
}
