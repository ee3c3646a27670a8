import type { TipoFixo } from '@vigia/contracts/retencao'
import type { Bus } from '../../../adapters/bus.ts'
import type { Due } from '../../../db/due.ts'
import type { WarnHeld } from '../../../db/hold-back/hold-back.ts'
import type { Database } from '../../../db/open.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import type { TipoTrabalho } from '../../../db/work-queue/turns.ts'
import type { Worker, WorkerOptions } from '../../../db/work-queue/worker.ts'
import type { Metrics } from '../../../telemetry/metrics.ts'

/**
 * One kind of message. The engine claims its deliveries, repeats and ends them, and counts them. The kind says what is
 * sent, to which destination, and which rows a result writes.
 */
export interface DeliveryKind {
  /** Kinds of work, each with slots of its own. */
  readonly slots: readonly (Pick<WorkerOptions, 'atOnce' | 'perRoot' | 'perEmpresa'> & {
    readonly tipo: TipoTrabalho
  })[]
  readonly wakenBy: readonly Parameters<Parameters<Bus['subscribe']>[0]>[0]['tipo'][]
  readonly retry: RetrySchedule
  /** Log lines of an attempt; without `delivered` a success has none. */
  readonly lines: { readonly delivered?: string; readonly failed: string }
  readonly tidy?: Tidy
  /** Further workers that run, stop and wake together with the deliveries. */
  readonly beside?: readonly Worker[]
  /** Reads what a claimed delivery is about. It writes nothing. */
  plan(claim: Claim): Promise<Plan>
}

interface RetrySchedule {
  /** Wait in ms after consecutive failed attempts. */
  readonly waitMs: (tries: number) => number
  /** Longest deferral of an attempt, also of a pause that the destination asks for. */
  readonly longestWaitMs: number
  /** Age at which a delivery is abandoned: no attempt begins later. */
  readonly giveUpMs: number
  /** Kind of work of the next attempt; default: the same. */
  readonly tipo?: TipoTrabalho
  /** Whether the work of an abandoned delivery stays stopped, so that a person can send it again. */
  readonly keepsAbandoned?: boolean
}

/** Removal of old rows, every hour. */
export interface Tidy {
  /** Log line of a failure. */
  readonly failed: string
  /** Queues the message about rows that are kept although their age has ended. */
  readonly warn: WarnHeld
  /** `prune` removes some rows and returns whether there may be more. */
  readonly aged: readonly {
    readonly tipo: Exclude<TipoFixo, 'arquivos'>
    readonly prune: (due: Due) => Promise<boolean>
  }[]
  /** The rest, after the rows that an age ends. @param now time of ages in epoch ms */
  readonly rest?: (now: number) => Promise<void>
}

/** Next step of a claimed delivery. */
export type Plan =
  | ({ readonly step: 'end' } & Ending)
  /** It is due at `em`, and no attempt counts: the destination pauses, or more messages may come. */
  | { readonly step: 'wait'; readonly em: number }
  | { readonly step: 'send'; readonly attempt: Attempt }

/** End of a delivery without a send. */
export interface Ending {
  /** Deliveries that end with it. */
  readonly carried?: readonly number[]
  /** Runs in the transaction that ends the work. */
  readonly write?: (tx: Database) => Promise<unknown>
  /** Log line after it. */
  readonly line?: readonly [fields: object, text: string]
}

export interface Attempt {
  /** Label of the metrics; absent: they do not count it. */
  readonly metric?: Parameters<Metrics['delivery']>[0]
  /** Waiting deliveries of the same destination that this message contains: a success ends their work. */
  readonly carried?: readonly number[]
  /** Sends the message. A rejection is an internal error: the work is repeated and never abandoned. */
  send(signal: AbortSignal): Promise<Outcome>
  /** Writes a result in the transaction that ends the attempt. */
  write(tx: Database, result: Result): Promise<unknown>
  /** Fields of the log line of a result. */
  fields(result: Result): object
}

/** Answer of a destination. */
export type Outcome = { readonly ok: true } | Failure

interface Failure {
  readonly ok: false
  /** Portuguese. */
  readonly erro: string
  /** Pause that the destination asked for. */
  readonly waitMs?: number | undefined
  /** The destination has ended: no attempt can succeed. */
  readonly isPermanent?: boolean
  /** Whose failure it is; absent: the destination's, for every Empresa. */
  readonly de?: 'mensagem' | undefined
}

interface Judged {
  readonly now: number
  readonly tookMs: number
  /** Attempts so far, with this one. */
  readonly tries: number
}

/** Failed attempt: the next one is due at `em`, unless the delivery is abandoned. */
export interface Failed extends Judged, Failure {
  readonly waitMs: number
  readonly em: number
  readonly isAbandoned: boolean
}

/** Outcome of an attempt, as the schedule of its kind judges it. */
export type Result = (Judged & { readonly ok: true }) | Failed
