import { setImmediate } from 'node:timers/promises'
import type { Bus } from '../../adapters/bus.ts'
import { pruneLanes } from '../../db/work-queue/lanes.ts'
import type { Claim } from '../../db/work-queue/queue.ts'
import { createWorker } from '../../db/work-queue/worker.ts'
import { LONGEST_WAIT_MS } from './back-off.ts'
import { type DeliverDeps, deliverOne } from './deliver-one.ts'
import { dropOrphans, pruneDeliveries } from './delivery-store.ts'
import { FAST, forgetDestinations, SLOW } from './destinations-store.ts'

/** Deliveries under way at once: to destinations that answer, and to those that fail or are slow. */
const AT_ONCE = 8
const SLOW_AT_ONCE = 3
const TIDY_EVERY_MS = 3_600_000
/** Time that delivered and abandoned notifications are kept for the counts of a channel, ms. */
const KEPT_MS = 30 * 86_400_000
const PRUNED_AT_ONCE = 500

interface DeliveryDeps extends Omit<DeliverDeps, 'monotonic'> {
  /** Says when there may be something new. */
  readonly bus: Bus
  /** Monotonic ms; the process's own unless given. */
  readonly monotonic?: () => number
}

export interface Delivery {
  start(): void
  /** Ends what is under way; it is sent again after the next start. */
  stop(): Promise<void>
  /** There may be something to deliver. */
  wake(): void
}

/** Delivers notifications: at least once each, side by side, one at a time to a server, the Empresas in turns. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { db, clock, bus, log, monotonic = () => performance.now() } = deps
  const handle = async (claim: Claim, signal: AbortSignal) => {
    await deliverOne({ ...deps, monotonic }, claim, signal)
    wake()
  }
  const both = { db, clock, log, alone: true, longestWaitMs: LONGEST_WAIT_MS, handle }
  const fast = createWorker({
    ...both,
    tipo: FAST,
    atOnce: AT_ONCE,
    perRoot: AT_ONCE - 1,
    perEmpresa: AT_ONCE - 2,
  })
  const slow = createWorker({ ...both, tipo: SLOW, atOnce: SLOW_AT_ONCE })
  let unsubscribe = () => {}
  let timer: NodeJS.Timeout | undefined
  let tidying: Promise<void> = Promise.resolve()
  let stopped = false

  function wake(): void {
    // Both may claim from one server: neither is always the first.
    for (const worker of Math.random() < 0.5 ? [fast, slow] : [slow, fast]) worker.wake()
  }

  async function tidy(): Promise<void> {
    const before = clock.now() - KEPT_MS
    while (!stopped && (await pruneDeliveries(db, before, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE) await setImmediate()
    await dropOrphans(db)
    await forgetDestinations(db, before)
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
    },
    async stop() {
      stopped = true
      unsubscribe()
      clearInterval(timer)
      await Promise.all([fast.stop(), slow.stop(), tidying])
    },
    wake,
  }
}
