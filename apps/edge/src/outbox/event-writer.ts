import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { Logger } from 'pino'
import type { EventObserver } from '../telemetry/event-observer.ts'
import type { Outbox } from './outbox.ts'
import { createWaitingEvents, type WaitingBatch } from './waiting-events.ts'

/** Writes records to the outbox in order. While the disk cannot be written, they wait in memory. */
export interface EventWriter {
  /** Stores a batch, or lets it wait behind the earlier ones. */
  push(batch: WaitingBatch): void
  /** Whether a record waits in memory. */
  readonly isWaiting: boolean
  /** Number of events that wait in memory because the disk cannot be written. */
  readonly waitingInMemory: number
  /** Time since which all writes have failed; 0: writes succeed. */
  readonly stuckMs: number
  /** Logs a failure of the disk, at most once in a while until a write succeeds. */
  logFailure(error: unknown, what: string): void
  /** Moves the waiting events into another outbox (`Intake.handOver`). */
  handOver(outbox: Pick<Outbox, 'add' | 'addPassage' | 'addLost'>): void
  /** Tries the waiting events once more. */
  stop(): void
}

interface EventWriterOptions {
  readonly outbox: Pick<Outbox, 'add' | 'addPassage' | 'addLost'>
  readonly log: Logger
  readonly observer?: Pick<EventObserver, 'stored'> | undefined
  readonly retryMs?: number
  /** Memory for waiting events. */
  readonly maxWaitingBytes: number
  /** Called after new records in the outbox. */
  onAdded(): void
}

/** Interval of the log line while the disk cannot be written. */
const LOG_EVERY_MS = 60_000

export function createEventWriter(options: EventWriterOptions): EventWriter {
  const { outbox, log, observer } = options
  const waiting = createWaitingEvents(options.maxWaitingBytes)
  let timer: NodeJS.Timeout | null = null
  let loggedAt = Number.NEGATIVE_INFINITY
  /** Time of the first failed write since the last success, in monotonic ms. */
  let stuckSince: number | null = null

  function logFailure(error: unknown, what: string) {
    const at = performance.now()
    if (at - loggedAt < LOG_EVERY_MS) return
    loggedAt = at
    log.error({ err: error, waiting: waiting.count }, what)
  }

  function keep(batch: WaitingBatch) {
    if ('passage' in batch) {
      const { camera_id: camera, revisao } = batch.passage.passage
      const seq = outbox.addPassage(batch.passage)
      waiting.stored()
      log.info({ camera, revisao, seq }, 'passage kept')
      return
    }
    const seqs = outbox.add(batch.events, batch.state)
    waiting.stored()
    observer?.stored(batch.events.map(({ candidate }) => candidate.id))
    const about = batch.events[0]?.candidate
    log.info({ camera: about?.camera_id, ia: about?.ia, seqs }, 'event kept')
  }

  function store() {
    timer = null
    for (let next = waiting.first(); next; next = waiting.first()) {
      try {
        if ('loss' in next) {
          outbox.addLost(next.loss)
          waiting.stored()
          log.error(next.loss, 'events were lost while the disk could not be written')
        } else keep(next.batch)
      } catch (error) {
        if (isDiskFailure(error) || 'loss' in next) {
          stuckSince ??= performance.now()
          logFailure(error, 'event cannot be written to the disk yet')
          timer = setTimeout(store, options.retryMs ?? 1_000)
          return
        }
        // A retry would fail again and block the events of every camera.
        log.error({ err: error, camera: cameraOf(next.batch) }, 'a record cannot be stored and is lost')
        waiting.giveUp()
        continue
      }
      loggedAt = Number.NEGATIVE_INFINITY
      stuckSince = null
      options.onAdded()
    }
  }

  return {
    push(batch) {
      waiting.push(batch)
      if (!timer) store()
    },
    get isWaiting() {
      return waiting.first() !== null
    },
    get waitingInMemory() {
      return waiting.count
    },
    get stuckMs() {
      return stuckSince === null ? 0 : performance.now() - stuckSince
    },
    logFailure,
    handOver(other) {
      for (let next = waiting.first(); next; next = waiting.first()) {
        if ('loss' in next) other.addLost(next.loss)
        else if ('passage' in next.batch) other.addPassage(next.batch.passage)
        else other.add(next.batch.events, next.batch.state)
        waiting.stored()
      }
    },
    stop() {
      if (timer) clearTimeout(timer)
      // Last attempt to store the waiting events.
      if (waiting.first()) store()
      if (timer) clearTimeout(timer)
      if (waiting.count > 0)
        log.error({ events: waiting.count }, 'events in memory are lost with the end of the program')
    },
  }
}

const cameraOf = (batch: WaitingBatch): number | undefined =>
  'passage' in batch ? batch.passage.passage.camera_id : batch.events[0]?.candidate.camera_id
