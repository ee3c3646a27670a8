import type { SavedState, SeenDiscard, SeenEvidence } from '@vigia/analysis/model'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { Logger } from 'pino'
import type { RecordedEvent } from '../capture/protocol.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import type { EventObserver } from '../telemetry/event-observer.ts'
import type { ClockOffset } from './clock-offset.ts'
import { createOpenPassages } from './open-passages.ts'
import type { Outbox } from './store.ts'
import { createWaitingEvents, type WaitingBatch } from './waiting-events.ts'

/** Stores events and states from the capture processes in the outbox. */
export interface Intake {
  events(events: readonly RecordedEvent[], state: unknown): void
  /** Stores a revision of a passage. Dropped if the cloud does not store passages. */
  passage(passage: SeenPassage): void
  /** Ends the open passages of cameras whose capture process, or the whole edge, was interrupted. */
  endPassages(cameraIds: readonly number[]): void
  /** Id of a recent event by its `ref` or `clipRef`. */
  idOf(ref: string): string | undefined
  states(states: readonly SavedState[]): void
  /** Stores further pictures of an event as extras. Dropped if the cloud does not store them, or the disk fails. */
  evidence(evidence: SeenEvidence): void
  /** Stores a discarded candidate as an extra. Dropped as above. */
  discard(discard: SeenDiscard): void
  /** Number of events that wait in memory because the disk cannot be written. */
  readonly waitingInMemory: number
  /** Time since which all writes have failed; 0: writes succeed. */
  readonly stuckMs: number
  /**
   * Moves the waiting events into another outbox. Throws if that outbox cannot be written either; the events that were
   * moved before stay there.
   */
  handOver(outbox: Pick<Outbox, 'add' | 'addPassage' | 'addLost'>): void
  stop(): void
}

export interface IntakeOptions {
  readonly outbox: Pick<Outbox, 'add' | 'addPassage' | 'addLost' | 'states' | 'saveStates' | 'keepSpace' | 'extras'>
  /** Kinds of extras that the cloud stores; none when omitted. */
  kinds?(): readonly string[]
  readonly clock: Pick<ClockOffset, 'offsetMs'>
  readonly machine: { clockSynchronised(): Promise<boolean> }
  readonly log: Logger
  readonly observer?: Pick<EventObserver, 'detected' | 'stored'> | undefined
  /** Called after new records in the outbox. */
  onAdded(): void
  /** Edge clock, in epoch ms; default `Date.now`. */
  now?(): number
  readonly retryMs?: number
  /** Memory for waiting events; default 64 MiB. */
  readonly maxWaitingBytes?: number
}

/** Memory for events that wait for the disk. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024
/** Interval of the checks of the clock state and of the outbox quota. */
const CHECK_MS = 10_000
/** References of events whose further pictures or clips may still arrive, two of each event: 50 events/s for 75 s. */
const MOST_REFS = 8192
/** Interval of the log line while the disk cannot be written. */
const LOG_EVERY_MS = 60_000

/**
 * Gives each event an identity and a clock state and writes it to the disk. If the disk cannot be written (full,
 * read-only, failing), events wait in memory in order and are retried; detection continues. Events beyond the memory
 * limit leave a gap record.
 */
export function createIntake(options: IntakeOptions): Intake {
  const { outbox, clock, log, observer } = options
  const now = options.now ?? Date.now
  const waiting = createWaitingEvents(options.maxWaitingBytes ?? MAX_WAITING_BYTES)
  /** Ids of the last events by their reference in the capture process, oldest first. */
  const ids = new Map<string, string>()
  const openPassages = createOpenPassages({
    outbox,
    onFailed: (error) => logFailure(error, 'open passages cannot be written to the disk'),
  })
  let synchronised = false
  let timer: NodeJS.Timeout | null = null
  let loggedAt = Number.NEGATIVE_INFINITY
  /** Time of the first failed write since the last success, in monotonic ms. */
  let stuckSince: number | null = null

  function check() {
    void options.machine.clockSynchronised().then((value) => {
      synchronised = value
    })
    try {
      outbox.keepSpace()
    } catch (error) {
      logFailure(error, 'the quota of the outbox cannot be applied')
    }
  }
  check()
  const checkTimer = setInterval(check, CHECK_MS)

  function logFailure(error: unknown, what: string) {
    const at = performance.now()
    if (at - loggedAt < LOG_EVERY_MS) return
    loggedAt = at
    log.error({ err: error, waiting: waiting.count }, what)
  }

  function remember(ref: string, id: string) {
    ids.set(ref, id)
    const [oldest] = ids.keys()
    if (ids.size > MOST_REFS && oldest !== undefined) ids.delete(oldest)
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

  function passage(seen: SeenPassage) {
    if (options.kinds?.().includes('passagem') !== true) return
    const continued = openPassages.continued(seen)
    const { media, ...record } = continued
    const relogio = { desvio_ms: clock.offsetMs, sincronizado: synchronised }
    const copied = media.map(({ papel, bytes }) => ({ papel, bytes: Buffer.from(bytes) }))
    waiting.push({ passage: { passage: { ...record, id: uuidV7(now()), relogio }, media: copied } })
    if (!timer) store()
    openPassages.accepted(continued)
  }

  return {
    events(seen, state) {
      const relogio = { desvio_ms: clock.offsetMs, sincronizado: synchronised }
      const events = seen.map(({ candidate, media, ref, clipRef }) => {
        const id = uuidV7(now())
        if (ref !== undefined) remember(ref, id)
        if (clipRef !== undefined) remember(clipRef, id)
        const traceparent = observer?.detected({ ...candidate, id })
        return {
          awaitsClip: clipRef !== undefined,
          candidate: { ...candidate, id, relogio, ...(traceparent !== undefined && { traceparent }) },
          // Bytes received over IPC are views into one large buffer.
          media: media.map(({ papel, bytes }) => ({ papel, bytes: Buffer.from(bytes) })),
        }
      })
      waiting.push({ events, state })
      if (!timer) store()
    },
    passage,
    endPassages(cameraIds) {
      for (const cameraId of cameraIds) for (const one of openPassages.interrupted(cameraId)) passage(one)
    },
    idOf: (ref) => ids.get(ref),
    states(states) {
      // While an event waits, an older state could overwrite a newer one, or cover an event that is not stored.
      if (waiting.first() !== null) return
      try {
        outbox.saveStates(states)
      } catch (error) {
        logFailure(error, 'states of the analyses cannot be written to the disk')
      }
    },
    evidence({ ref, cameraId, pictures }) {
      const evento = ids.get(ref)
      if (evento === undefined || options.kinds?.().includes('evidencia') !== true) return
      try {
        for (const { jpeg, ...picture } of pictures) {
          const extra = { tipo: 'evidencia', v: 1, id: uuidV7(now()), camera_id: cameraId, evento, ...picture } as const
          outbox.extras.add(extra, Buffer.from(jpeg))
        }
        options.onAdded()
      } catch (error) {
        if (!isDiskFailure(error)) throw error
        logFailure(error, 'further pictures of an event cannot be written to the disk')
      }
    },
    discard({ jpeg, ...discard }) {
      if (options.kinds?.().includes('descartado') !== true) return
      try {
        const extra = { tipo: 'descartado', v: 1, id: uuidV7(now()), ...discard } as const
        outbox.extras.add(extra, jpeg && Buffer.from(jpeg))
        options.onAdded()
      } catch (error) {
        if (!isDiskFailure(error)) throw error
        logFailure(error, 'a discarded candidate cannot be written to the disk')
      }
    },
    get waitingInMemory() {
      return waiting.count
    },
    get stuckMs() {
      return stuckSince === null ? 0 : performance.now() - stuckSince
    },
    handOver(other) {
      for (let next = waiting.first(); next; next = waiting.first()) {
        if ('loss' in next) other.addLost(next.loss)
        else if ('passage' in next.batch) other.addPassage(next.batch.passage)
        else other.add(next.batch.events, next.batch.state)
        waiting.stored()
      }
    },
    stop() {
      clearInterval(checkTimer)
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
