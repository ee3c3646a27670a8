import { runActivity } from '@vigia/runtime/activity'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Tracing } from '@vigia/runtime/spans'
import { noTracing } from '@vigia/runtime/tracing'
import type { Clock } from '../../adapters/clock.ts'
import type { Logger } from '../../http/request-log.ts'
import type { Database } from '../open.ts'
import { transact } from '../transaction.ts'
import { type Claim, extendLease, failWork, giveBackWork } from './queue.ts'
import type { TipoTrabalho } from './turns.ts'

export interface ItemsDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly tipo: TipoTrabalho
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

/** Duration of a lease. A running process renews it three times in this time. */
export const LEASE_MS = 15_000
/** First deferral after an internal error. Later ones double up to `longestWaitMs`. */
const FIRST_WAIT_MS = 5_000
/** An internal error involves no shared server, so that retries need no jitter. */
const NO_JITTER = [1, 1] as const

/** The items under way: each has its lease renewed until its claim ends. @param ended called after each item */
export function createItems(
  { db, clock, log, tipo, longestWaitMs, tracing = noTracing, handle }: ItemsDeps,
  ended: () => void,
) {
  const underWay = new Map<string, { claim: Claim; ending: AbortController; done: Promise<void> }>()

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

  return {
    size: () => underWay.size,
    /** Tokens of the claims. */
    held: () => [...underWay.keys()],
    /** Ids that have reached their limit of concurrent items. */
    full(field: 'raiz_id' | 'empresa_id', most: number): number[] {
      const counts = Map.groupBy([...underWay.values()], ({ claim }) => claim[field])
      return [...counts].flatMap(([id, some]) => (some.length >= most ? [id] : []))
    },
    begin(claim: Claim): void {
      const ending = new AbortController()
      const span = startSpan(claim)
      const activity = { fields: { trabalho_id: claim.id, trabalho: tipo }, traceparent: span.traceparent }
      const done = runActivity(activity, () => work(claim, ending))
        // The lease expires anyway.
        .catch((err: unknown) => log.error({ err, trabalho_id: claim.id, tipo }, 'result of work not written'))
        .then(() => {
          span.end()
          underWay.delete(claim.posse)
          ended()
        })
      underWay.set(claim.posse, { claim, ending, done })
    },
    /** Aborts all items. */
    endAll() {
      for (const { ending } of underWay.values()) ending.abort()
    },
    async done(): Promise<void> {
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}
