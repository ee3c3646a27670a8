import { setTimeout as delay } from 'node:timers/promises'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, deferWork, failWork, finishWork, withdrawWork } from '../../../db/work-queue/queue.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Metrics } from '../../../telemetry/metrics.ts'
import { noTelemetry, type Telemetry } from '../../../telemetry/telemetry.ts'
import type { Attempt, DeliveryKind, Ending, Failed, Outcome, Result } from './delivery-kind.ts'

const WRITE_RETRY_MS = 2_000

export interface AttemptDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly telemetry?: Telemetry
  /** Monotonic clock in ms; default: that of the process. */
  readonly monotonic?: () => number
}

/**
 * Runs one attempt of a claimed delivery. The result is written after the send, in the transaction that ends the claim;
 * nothing is written if another process has the delivery. After a crash in between, the message is sent again under the
 * same id.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  kind: DeliveryKind,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log, telemetry = noTelemetry, monotonic = () => performance.now() } = deps
  const write = (change: (tx: Database) => Promise<unknown>) => whenWritable(() => transact(db, change), signal)
  const end = ({ carried = [], write: writeEnd }: Ending) =>
    write(async (tx) => {
      if (!(await finishWork(tx, claim))) return
      await withdrawWork(tx, tiposOf(kind), carried.map(String))
      await writeEnd?.(tx)
    })

  const plan = await kind.plan(claim)
  if (plan.step === 'wait') return write((tx) => deferWork(tx, claim, plan.em))
  if (plan.step === 'end') {
    await end(plan)
    if (plan.line) log.info(...plan.line)
    return
  }
  const { attempt } = plan
  const startedAt = monotonic()
  const outcome = await attempt.send(signal)
  // An aborted send does not count as an attempt.
  if (!outcome.ok && signal.aborted) return
  const result = judge(kind, claim, outcome, { now: clock.now(), tookMs: monotonic() - startedAt })
  const writeResult = (tx: Database) => attempt.write(tx, result)
  if (result.ok) await end({ ...attempt, write: writeResult })
  else if (result.isAbandoned && !kind.retry.keepsAbandoned) await end({ write: writeResult })
  else
    await write(async (tx) => {
      if (await failWork(tx, claim, failureOf(kind, result))) await writeResult(tx)
    })
  count(telemetry.metrics, claim, attempt, result)
  const { delivered, failed } = kind.lines
  if (!result.ok) log.warn(attempt.fields(result), failed)
  else if (delivered !== undefined) log.info(attempt.fields(result), delivered)
}

const tiposOf = ({ slots }: DeliveryKind) => slots.map(({ tipo }) => tipo)

/** Judges an outcome by the schedule of its kind. */
function judge(
  { retry }: DeliveryKind,
  claim: Claim,
  outcome: Outcome,
  { now, tookMs }: Pick<Result, 'now' | 'tookMs'>,
): Result {
  const at = { now, tookMs, tries: claim.tentativas + 1 }
  if (outcome.ok) return { ...at, ...outcome }
  const waitMs = Math.min(retry.longestWaitMs, outcome.waitMs ?? 0)
  const em = now + Math.max(waitMs, retry.waitMs(at.tries))
  const isAbandoned = outcome.isPermanent === true || em > claim.criado_em + retry.giveUpMs
  return { ...at, ...outcome, waitMs, em, isAbandoned }
}

const failureOf = ({ retry: { tipo } }: DeliveryKind, { erro, now, em, isAbandoned }: Failed) => ({
  erro,
  now,
  ...(tipo !== undefined && { tipo }),
  next: isAbandoned ? ({ estado: 'parado', em: null } as const) : ({ estado: 'recuo', em } as const),
})

function count(metrics: Metrics, claim: Claim, { metric }: Attempt, result: Result): void {
  if (metric === undefined) return
  if (!result.ok) metrics.delivery(metric, result.isAbandoned ? 'desistida' : 'falhou')
  else {
    metrics.delivery(metric, 'entregue')
    metrics.delivered(metric, result.now - claim.criado_em)
  }
}

/** A full disk must not cause a second send: the result is written when space is free again. */
async function whenWritable(write: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await write()
      return
    } catch (error) {
      if (unwritableDisk(error) === null || signal.aborted) throw error
      await delay(WRITE_RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}
