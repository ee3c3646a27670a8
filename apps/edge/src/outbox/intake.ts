import type { SavedState, SeenDiscard, SeenEvidence } from '@vigia/analysis/model'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { Logger } from 'pino'
import type { RecordedEvent } from '../capture/protocol.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import type { EventObserver } from '../telemetry/event-observer.ts'
import type { EdgeTime } from '../time/edge-time.ts'
import type { Stamp } from '../time/stamp.ts'
import { createEventWriter } from './event-writer.ts'
import type { NewExtra } from './extra-store.ts'
import { createOpenPassages, type PlacedPassage } from './open-passages.ts'
import type { Outbox } from './outbox.ts'

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
  readonly time: Pick<EdgeTime, 'place' | 'relogio'>
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
/** Interval of the checks of the outbox quota. */
const CHECK_MS = 10_000
/** References of events whose further pictures or clips may still arrive, two of each event: 50 events/s for 75 s. */
const MOST_REFS = 8192

/**
 * Gives each event an identity, its time and a clock state, and writes it to the disk. If the disk cannot be written
 * (full, read-only, failing), events wait in memory in order and are retried; detection continues. Events beyond the
 * memory limit leave a gap record.
 */
export function createIntake(options: IntakeOptions): Intake {
  const { outbox, time, observer } = options
  const now = options.now ?? Date.now
  const writer = createEventWriter({ ...options, maxWaitingBytes: options.maxWaitingBytes ?? MAX_WAITING_BYTES })
  const { logFailure } = writer
  const ids = createEventIds()
  const openPassages = createOpenPassages({
    outbox,
    onFailed: (error) => logFailure(error, 'open passages cannot be written to the disk'),
  })

  function check() {
    try {
      outbox.keepSpace()
    } catch (error) {
      logFailure(error, 'the quota of the outbox cannot be applied')
    }
  }
  check()
  const checkTimer = setInterval(check, CHECK_MS)

  /** Extras are dropped if the disk cannot be written. `what`: their name in the log. */
  function storeExtras(
    extras: readonly (readonly [NewExtra, Buffer | null])[],
    what: string,
    stamp: Stamp | null = null,
  ) {
    try {
      for (const [extra, picture] of extras) outbox.extras.add(extra, picture, stamp)
      options.onAdded()
    } catch (error) {
      if (!isDiskFailure(error)) throw error
      logFailure(error, `${what} cannot be written to the disk`)
    }
  }

  function passage(own: PlacedPassage) {
    if (options.kinds?.().includes('passagem') !== true) return
    const continued = openPassages.continued(own)
    const { media, stamp = null, ...record } = continued
    const copied = media.map(({ papel, bytes }) => ({ papel, bytes: Buffer.from(bytes) }))
    const numbered = { ...record, id: uuidV7(now()), relogio: time.relogio() }
    writer.push({ passage: { passage: numbered, media: copied, stamp } })
    openPassages.accepted(continued)
  }

  return {
    events(seen, state) {
      const events = seen.map(({ candidate, media, ref, clipRef }) => {
        const id = uuidV7(now())
        if (ref !== undefined) ids.remember(ref, id)
        if (clipRef !== undefined) ids.remember(clipRef, id)
        const traceparent = observer?.detected({ ...candidate, id })
        const { ocorrido_em, stamp } = placedAt(time, candidate.ocorrido_em)
        const relogio = time.relogio()
        return {
          awaitsClip: clipRef !== undefined,
          stamp,
          candidate: { ...candidate, id, ocorrido_em, relogio, ...(traceparent !== undefined && { traceparent }) },
          // Bytes received over IPC are views into one large buffer.
          media: media.map(({ papel, bytes }) => ({ papel, bytes: Buffer.from(bytes) })),
        }
      })
      writer.push({ events, state })
    },
    passage: (seen) => passage(placed(time, seen)),
    endPassages(cameraIds) {
      for (const cameraId of cameraIds) for (const one of openPassages.interrupted(cameraId)) passage(one)
    },
    idOf: ids.of,
    states(states) {
      // While an event waits, an older state could overwrite a newer one, or cover an event that is not stored.
      if (writer.isWaiting) return
      try {
        outbox.saveStates(states)
      } catch (error) {
        logFailure(error, 'states of the analyses cannot be written to the disk')
      }
    },
    evidence({ ref, cameraId, pictures }) {
      const evento = ids.of(ref)
      if (evento === undefined || options.kinds?.().includes('evidencia') !== true) return
      const extras = pictures.map(({ jpeg, ...picture }) => {
        const extra = { tipo: 'evidencia', v: 1, id: uuidV7(now()), camera_id: cameraId, evento, ...picture } as const
        return [extra, Buffer.from(jpeg)] as const
      })
      storeExtras(extras, 'further pictures of an event')
    },
    discard({ jpeg, ...discard }) {
      if (options.kinds?.().includes('descartado') !== true) return
      const { ocorrido_em, stamp } = placedAt(time, discard.ocorrido_em)
      const extra = { tipo: 'descartado', v: 1, id: uuidV7(now()), ...discard, ocorrido_em } as const
      storeExtras([[extra, jpeg && Buffer.from(jpeg)]], 'a discarded candidate', stamp)
    },
    get waitingInMemory() {
      return writer.waitingInMemory
    },
    get stuckMs() {
      return writer.stuckMs
    },
    handOver: writer.handOver,
    stop() {
      clearInterval(checkTimer)
      writer.stop()
    },
  }
}

type Time = IntakeOptions['time']

function placedAt(time: Time, wallMs: number) {
  const { at, stamp } = time.place(wallMs)
  return { ocorrido_em: at, stamp }
}

const placed = (time: Time, seen: SeenPassage): PlacedPassage => ({
  ...seen,
  inicio: time.place(seen.inicio).at,
  fim: seen.fim === null ? null : time.place(seen.fim).at,
  ...placedAt(time, seen.ocorrido_em),
})

/** Ids of the last events by their reference in the capture process. */
function createEventIds() {
  /** Oldest first. */
  const ids = new Map<string, string>()
  return {
    of: (ref: string) => ids.get(ref),
    remember(ref: string, id: string) {
      ids.set(ref, id)
      const [oldest] = ids.keys()
      if (ids.size > MOST_REFS && oldest !== undefined) ids.delete(oldest)
    },
  }
}
