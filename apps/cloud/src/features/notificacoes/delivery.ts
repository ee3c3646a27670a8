import { setImmediate } from 'node:timers/promises'
import type { Bus } from '../alertas/bus.ts'
import { LONGEST_WAIT_MS } from './back-off.ts'
import { type DeliverDeps, deliverOne } from './deliver-one.ts'
import {
  type DueDelivery,
  dueDeliveries,
  failingDestinations,
  hastenDeliveries,
  nextDelivery,
  pruneDeliveries,
} from './delivery-store.ts'
import { createPace } from './destination-pace.ts'

/** Deliveries under way at once, and how many of them may go to destinations that fail or are slow. */
const AT_ONCE = 8
const SLOW_AT_ONCE = 3
/** Longest sleep, ms: another process may have put something into the queue. */
const IDLE_MS = 2_000
const AFTER_ERROR_MS = 2_000
const TIDY_EVERY_MS = 3_600_000
/** What is done is kept so long, ms, to be counted and looked at. */
const KEPT_MS = 30 * 86_400_000
const PRUNED_AT_ONCE = 500
const PAGE = 100

interface DeliveryDeps extends DeliverDeps {
  /** Tells when there may be something new. */
  readonly bus: Bus
  /** Monotonic ms; the process's own unless given. */
  readonly monotonic?: () => number
}

export interface Delivery {
  start(): void
  /** Ends what is under way; it is sent again after the next start. */
  stop(): Promise<void>
}

/**
 * Works through the queue of notifications: at least once each, side by side, one at a time to a server, the Empresas in
 * turns. The queue is the table itself, so a restart at any moment loses nothing.
 */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { db, clock, bus, log, monotonic = () => performance.now() } = deps
  const pace = createPace(monotonic)
  const stopping = new AbortController()
  const underWay = new Map<string, { readonly destino: string; readonly slow: boolean; readonly done: Promise<void> }>()
  /** Empresas that had their turn: however much one has waiting, the others come next. */
  const served = new Set<number>()
  let unsubscribe = () => {}
  let loop: Promise<void> = Promise.resolve()
  let tidyAt = monotonic()
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

  const isSlow = ({ tentativas, destino }: DueDelivery) => tentativas > 0 || pace.isSlow(destino)

  /** The next delivery that may begin now; undefined: none. */
  async function pick(): Promise<DueDelivery | undefined> {
    const found = await pickExcept([...served])
    if (found || served.size === 0) return found
    const again = await pickExcept([])
    // All the others have nothing that may begin: the next round.
    if (again) served.clear()
    return again
  }

  async function pickExcept(empresas: readonly number[]): Promise<DueDelivery | undefined> {
    const slowOnes = [...underWay.values()].filter(({ slow }) => slow).length
    const mayBegin = (row: DueDelivery) => !underWay.has(serverOf(row)) && (slowOnes < SLOW_AT_ONCE || !isSlow(row))
    const except = {
      destinos: [...[...underWay.values()].map(({ destino }) => destino), ...pace.paused()],
      // One server each: while it is busy, all that waits for it need not be looked at.
      canalTipos: (['email', 'whatsapp'] as const).filter((tipo) => underWay.has(tipo)),
      empresas,
    }
    for (let after: DueDelivery | undefined; ; await setImmediate()) {
      const page: DueDelivery[] = await dueDeliveries(db, clock.now(), { except, after, limit: PAGE })
      const found = page.find(mayBegin)
      if (found || page.length < PAGE) return found
      after = page.at(-1)
    }
  }

  function begin(row: DueDelivery): void {
    served.add(row.empresa_id)
    const server = serverOf(row)
    const startedAt = monotonic()
    const done = deliverOne(deps, row.id, stopping.signal)
      .catch((err: unknown) => {
        // It was perhaps sent and could not be marked: without a pause it would be sent again and again.
        log.error({ err, entrega_id: row.id }, 'notification not marked')
        return false
      })
      .then((ok) => {
        pace.record(row.destino, ok, monotonic() - startedAt)
        underWay.delete(server)
        wake()
      })
    underWay.set(server, { destino: row.destino, slow: isSlow(row), done })
  }

  async function step(): Promise<void> {
    if (monotonic() >= tidyAt) {
      const agora = clock.now()
      await hastenDeliveries(db, agora, agora + 2 * LONGEST_WAIT_MS)
      pace.distrust(await failingDestinations(db))
      while ((await pruneDeliveries(db, agora - KEPT_MS, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE) await setImmediate()
      tidyAt = monotonic() + TIDY_EVERY_MS
    }
    while (underWay.size < AT_ONCE && !stopping.signal.aborted) {
      const row = await pick()
      if (!row) break
      begin(row)
    }
    const agora = clock.now()
    const next = await nextDelivery(db, agora)
    await sleep(Math.min(IDLE_MS, next === null ? IDLE_MS : next - agora))
  }

  const run = async () => {
    while (!stopping.signal.aborted)
      await step().catch(async (err: unknown) => {
        log.error({ err }, 'queue of notifications not read; trying again')
        await sleep(AFTER_ERROR_MS)
      })
  }

  return {
    start() {
      unsubscribe = bus.subscribe(({ tipo }) => {
        if (tipo === 'alertas' || tipo === 'queda') wake()
      })
      loop = run()
    },
    async stop() {
      unsubscribe()
      stopping.abort()
      interrupt()
      await loop
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}

/** The server that a delivery speaks to. All e-mail goes to one, and all of WhatsApp. */
const serverOf = ({ canal_tipo, destino }: DueDelivery): string =>
  canal_tipo === 'webhook' ? (URL.parse(destino)?.host ?? destino) : canal_tipo
