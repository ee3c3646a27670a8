import type { Confirmacoes } from '@vigia/contracts/candidate'
import type { ConfirmacoesExtras } from '@vigia/contracts/extras'
import type { Logger } from 'pino'
import type { EventObserver } from '../telemetry/event-observer.ts'
import { createAnswers } from './answers.ts'
import { createDispatch } from './dispatch.ts'
import type { ExtrasLaneOptions } from './extras-lane.ts'
import { createFlights } from './flights.ts'
import { createLanes } from './lanes.ts'
import type { Outbox } from './outbox.ts'
import { createReleases } from './releases.ts'
import { createUploadRate, type UploadRate } from './upload-rate.ts'

export interface Sender {
  /** Ids that the cloud may be storing now, and confirmed ids whose removal is pending. */
  inFlight(): ReadonlySet<string>
  /** Called after an addition or a change of the limit. */
  wake(): void
  /** Called when the link goes up or down. */
  connection(up: boolean): void
  /**
   * Called for other messages of the cloud (a configuration, the echo of a report). After an absence of the cloud,
   * unanswered records become back-fill.
   */
  heard(): void
  /** Called with the cloud's answers, the only messages that remove records from the outbox. */
  confirm(confirmacoes: Confirmacoes): void
  confirmExtras(confirmacoes: ConfirmacoesExtras): void
  /** Whether the link is up, and no event and no extra waits for the line. */
  isLineFree(): boolean
  /** Whether a chunk of a clip may be sent: the line is free, or clips are due. */
  hasTurnForClip(): boolean
  /** Called after a chunk of a clip. */
  clipSent(): void
  stop(): void
}

export interface SenderOptions {
  readonly outbox: Pick<Outbox, 'serie' | 'cameras' | 'highest' | 'lowest' | 'read' | 'remove'>
  /** Resolves at PUBACK, which proves only delivery to the broker; rejects if publishing fails. */
  publish(payload: Buffer): Promise<void>
  readonly log: Logger
  /** Largest rate of the backlog, in kbit/s; null: no limit. Read at each batch. Live records are exempt. */
  limitKbps(): number | null
  /** Rate of the backlog and of everything below it; default: one of its own within `limitKbps`. */
  readonly rate?: UploadRate
  /** The lane of extras; none when omitted. */
  readonly extras?: Pick<ExtrasLaneOptions, 'extras' | 'publish' | 'kinds'>
  readonly observer?: Pick<EventObserver, 'sent' | 'settled'> | undefined
  /** Monotonic ms; default `performance.now`. */
  monotonic?(): number
  /** Timeout of the cloud's answer before the records are sent again, in ms: doubles up to `maxMs`. */
  readonly confirmTimeout?: { readonly minMs: number; readonly maxMs: number }
}

/**
 * The cloud echoes reports every few seconds. Without any message for this time in ms, it was offline even if the
 * broker was not.
 */
const CLOUD_AWAY_MS = 12_000
/**
 * Drains the outbox in two lanes of events. Back-fill: the records from before the connection, strictly in order,
 * within the throughput of the line and the limit. Live: new records, at once, ahead of the back-fill. Each lane of
 * each camera has a window of records in flight, in order. When a record is missing or unanswered, the lane rewinds to
 * the first record still stored (go-back-N). A record is repeated until the cloud confirms it. Repetition is harmless,
 * because each record has its own identity. Extras are sent while no event waits for the line. One of eight messages is
 * of the lowest lane that waits.
 */
export function createSender(options: SenderOptions): Sender {
  const { outbox, log, limitKbps, observer, publish } = options
  const monotonic = options.monotonic ?? (() => performance.now())
  const confirmTimeout = options.confirmTimeout ?? { minMs: 10_000, maxMs: 120_000 }
  const flights = createFlights()
  const releases = createReleases({ outbox, log })
  const lanes = createLanes({ outbox, log, monotonic, isConfirmed: releases.isPending })
  const rate = options.rate ?? createUploadRate({ limitKbps, monotonic })
  const answers = createAnswers({
    flights,
    lanes,
    releases,
    log,
    observer,
    monotonic,
    confirmTimeout,
    onSilence: () => dispatch.fill(),
  })
  const dispatch = createDispatch({
    flights,
    lanes,
    rate,
    log,
    observer,
    monotonic,
    confirmTimeout,
    publish,
    extras: options.extras,
    onOut: answers.expect,
  })
  /** Time of the last message from the cloud (monotonic, in ms). */
  let heardAt = monotonic()

  return {
    inFlight: () => (releases.pending.size === 0 ? flights.ids : new Set([...flights.ids, ...releases.pending])),
    wake: dispatch.fill,
    heard() {
      const wasAway = monotonic() - heardAt >= CLOUD_AWAY_MS
      heardAt = monotonic()
      if (!wasAway || !dispatch.isOpen) return
      flights.clear()
      lanes.mark({ keepSilences: true })
      dispatch.fill()
    },
    connection(up) {
      heardAt = monotonic()
      dispatch.connection(up)
      flights.clear()
      releases.retry()
      if (!dispatch.isOpen) return
      lanes.mark()
      dispatch.fill()
    },
    confirm({ itens }) {
      heardAt = monotonic()
      answers.take(itens)
      dispatch.fill()
    },
    confirmExtras(confirmacoes) {
      heardAt = monotonic()
      dispatch.confirmExtras(confirmacoes)
    },
    isLineFree: dispatch.isLineFree,
    hasTurnForClip: dispatch.hasTurnForClip,
    clipSent: dispatch.clipSent,
    stop() {
      dispatch.stop()
      releases.stop()
      flights.clear()
    },
  }
}
