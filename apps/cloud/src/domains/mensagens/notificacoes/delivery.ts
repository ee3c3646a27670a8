import { setImmediate } from 'node:timers/promises'
import { noTracing } from '@vigia/runtime/tracing'
import type { Bus } from '../../../adapters/bus.ts'
import type { Clock } from '../../../adapters/clock.ts'
import { deleteDue } from '../../../db/hold-back/hold-back.ts'
import { pruneLanes } from '../../../db/work-queue/lanes.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import { createWorker } from '../../../db/work-queue/worker.ts'
import { pruneAvisos } from './avisos-store.ts'
import { LONGEST_WAIT_MS } from './back-off.ts'
import { type DeliverDeps, deliverOne } from './notificacao-kind.ts'
import { dropOrphans, pruneDeliveries } from './delivery-store.ts'
import { FAST, forgetDestinations, SLOW } from './destinations-store.ts'
import { enqueueAviso } from './enqueue-aviso.ts'
import { createMessageTimers } from './message-timers.ts'

/** Concurrent deliveries to healthy destinations, and to failing or slow ones. */
const AT_ONCE = 8
const SLOW_AT_ONCE = 3
const TIDY_EVERY_MS = 3_600_000
/** A destination that has not been slow or failing for this long is forgotten. */
const FORGOTTEN_MS = 30 * 86_400_000
const PRUNED_AT_ONCE = 500

interface DeliveryDeps extends Omit<DeliverDeps, 'monotonic'> {
  /** Signals new messages. */
  readonly bus: Bus
  /** Time that ages count against; default: `clock`. */
  readonly ages?: Clock
  /** Monotonic clock in ms; default: that of the process. */
  readonly monotonic?: () => number
}

export interface Delivery {
  start(): void
  /** Aborts the running deliveries; they are sent again after the next start. */
  stop(): Promise<void>
  /** Call it when there may be new messages. */
  wake(): void
}

/**
 * Runs the timers of messages, and delivers notifications at least once, concurrently, one at a time per server, with
 * the Empresas in turns.
 */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { db, clock, ages = clock, bus, log, telemetry, monotonic = () => performance.now() } = deps
  const handle = async (claim: Claim, signal: AbortSignal) => {
    await deliverOne({ ...deps, monotonic }, claim, signal)
    wake()
  }
  const tracing = telemetry?.tracing ?? noTracing
  const both = { db, clock, log, alone: true, longestWaitMs: LONGEST_WAIT_MS, tracing, handle }
  const fast = createWorker({
    ...both,
    tipo: FAST,
    atOnce: AT_ONCE,
    perRoot: AT_ONCE - 1,
    perEmpresa: AT_ONCE - 2,
  })
  // One slot stays free for other roots: a destination that never answers takes a slot for its whole time limit.
  const slow = createWorker({ ...both, tipo: SLOW, atOnce: SLOW_AT_ONCE, perRoot: SLOW_AT_ONCE - 1 })
  const timers = createMessageTimers(deps)
  let unsubscribe = () => {}
  let timer: NodeJS.Timeout | undefined
  let tidying: Promise<void> = Promise.resolve()
  let stopped = false

  function wake(): void {
    // Both workers may claim from one lane, so that none always precedes.
    for (const worker of Math.random() < 0.5 ? [fast, slow] : [slow, fast]) worker.wake()
    timers.wake()
  }

  async function tidy(): Promise<void> {
    const now = ages.now()
    await deleteDue({ db, log, now, warn: enqueueAviso }, { tipo: 'entregas' }, async (due) => {
      while (!stopped && (await pruneDeliveries(db, due, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE) await setImmediate()
    })
    await deleteDue({ db, log, now, warn: enqueueAviso }, { tipo: 'avisos' }, async (due) => {
      while (!stopped && (await pruneAvisos(db, due, PRUNED_AT_ONCE))) await setImmediate()
    })
    await dropOrphans(db)
    await forgetDestinations(db, now - FORGOTTEN_MS)
    await pruneLanes(db)
  }

  return {
    start() {
      const runTidy = () => {
        tidying = tidy().catch((err: unknown) => log.error({ err }, 'old notifications not removed'))
      }
      unsubscribe = bus.subscribe(({ tipo }) => {
        if (tipo === 'alertas' || tipo === 'queda') wake()
      })
      runTidy()
      timer = setInterval(runTidy, TIDY_EVERY_MS)
      fast.start()
      slow.start()
      timers.start()
    },
    async stop() {
      stopped = true
      unsubscribe()
      clearInterval(timer)
      await Promise.all([fast.stop(), slow.stop(), timers.stop(), tidying])
    },
    wake,
  }
}
