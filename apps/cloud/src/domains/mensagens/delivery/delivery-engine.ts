import { setImmediate } from 'node:timers/promises'
import type { Bus } from '../../../adapters/bus.ts'
import type { Clock } from '../../../adapters/clock.ts'
import { deleteDue } from '../../../db/hold-back/hold-back.ts'
import { createWorker } from '../../../db/work-queue/worker.ts'
import { noTelemetry } from '../../../telemetry/telemetry.ts'
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts'
import type { DeliveryKind, Tidy } from './delivery-kind.ts'

const TIDY_EVERY_MS = 3_600_000

export interface EngineDeps extends AttemptDeps {
  /** Signals new messages. */
  readonly bus: Bus
  /** Time that ages count against; default: `clock`. */
  readonly ages?: Clock
}

export interface DeliveryEngine {
  start(): void
  /** Aborts the running deliveries; they are sent again after the next start. */
  stop(): Promise<void>
  /** Call it when there may be new messages. */
  wake(): void
}

/**
 * Delivers the queued messages of one kind, each at least once. The work queue gives the lease of a claim and the turns
 * of the Empresas. Its lanes send one message at a time to a destination, across all replicas.
 */
export function createDeliveryEngine(deps: EngineDeps, kind: DeliveryKind): DeliveryEngine {
  const { db, clock, log, bus, telemetry = noTelemetry } = deps
  const { slots, beside = [], wakenBy, retry } = kind
  const workers = slots.map((slot) =>
    createWorker({
      db,
      clock,
      log,
      ...slot,
      alone: true,
      longestWaitMs: retry.longestWaitMs,
      tracing: telemetry.tracing,
      async handle(claim, signal) {
        await attemptDelivery(deps, kind, claim, signal)
        wake()
      },
    }),
  )
  const tidying = createTidying(deps, kind.tidy)
  let unsubscribe = () => {}

  function wake(): void {
    // Several workers may claim from one lane, so that none always precedes.
    for (const worker of Math.random() < 0.5 ? workers : workers.toReversed()) worker.wake()
    for (const worker of beside) worker.wake()
  }

  return {
    start() {
      unsubscribe = bus.subscribe(({ tipo }) => {
        if (wakenBy.includes(tipo)) wake()
      })
      tidying.start()
      for (const worker of [...workers, ...beside]) worker.start()
    },
    async stop() {
      unsubscribe()
      await Promise.all([...[...workers, ...beside].map((worker) => worker.stop()), tidying.stop()])
    },
    wake,
  }
}

/** Removes old rows at the start, and every hour. */
function createTidying({ db, clock, ages = clock, log }: EngineDeps, tidy: Tidy | undefined) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = false

  async function run({ aged, rest, warn }: Tidy): Promise<void> {
    const now = ages.now()
    for (const { tipo, prune } of aged)
      await deleteDue({ db, log, now, warn }, { tipo }, async (due) => {
        while (!stopped && (await prune(due))) await setImmediate()
      })
    await rest?.(now)
  }

  return {
    start() {
      if (!tidy) return
      const begin = () => {
        running = run(tidy).catch((err: unknown) => log.error({ err }, tidy.failed))
      }
      begin()
      timer = setInterval(begin, TIDY_EVERY_MS)
    },
    async stop(): Promise<void> {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
