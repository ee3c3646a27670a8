import { primeiroSeqDe, type Registro, stripMedia, ultimoSeqDe } from '@vigia/contracts/candidate'
import { type BatchItem, encodeBatch, mediaFault } from '@vigia/link/batch'
import type { Logger } from 'pino'
import { asGap } from '../db/record-header.ts'
import type { StoredRecord } from './lane-store.ts'
import type { Outbox } from './store.ts'

export type LaneName = 'live' | 'backfill'

/** Progress of one lane of one camera. */
export interface Lane {
  readonly cameraId: number
  readonly name: LaneName
  /** Range of its numbers: above `from` up to `upTo`. */
  readonly from: number
  readonly upTo: number
  /** Last number sent. */
  after: number
  /** Consecutive batches without an answer. */
  silences: number
  /** Consecutive answers that an earlier record is missing. */
  disorders: number
  /** Monotonic ms; the lane sends nothing earlier. */
  pausedUntil: number
  /** Whether the cloud asked for the pause: it holds back no extras of other cameras. */
  asked: boolean
}

export interface SentItem {
  readonly id: string
  readonly lane: Lane
  /** Trace of the event; undefined: none. */
  readonly traceparent: string | undefined
}

export interface OutgoingBatch {
  readonly payload: Buffer
  readonly items: readonly SentItem[]
}

interface BatchLimits {
  readonly records: number
  readonly bytes: number
  /** One record may be larger than `bytes`. */
  readonly atLeastOne: boolean
}

interface Taken {
  readonly lane: Lane
  readonly record: StoredRecord
  readonly item: BatchItem
}

export interface LanesOptions {
  readonly outbox: Pick<Outbox, 'serie' | 'cameras' | 'highest' | 'lowest' | 'read'>
  readonly log: Logger
  monotonic(): number
  /** Whether the cloud has the record but its removal from the disk has failed so far. */
  isConfirmed(id: string): boolean
}

export interface Lanes {
  /**
   * Called when the cloud is reachable again: existing records become back-fill, later ones are live. `keepSilences`:
   * the connection is the same, so records without an answer are still sent separately.
   */
  mark(options?: { readonly keepSilences: boolean }): void
  /** The next batch of that lane, in fair turns between cameras; its records count as sent. null: nothing fits. */
  next(name: LaneName, limits: BatchLimits): OutgoingBatch | null
  rewind(lane: Lane): void
  /** Monotonic ms at which the first pause ends; null: no pause. `own`: without pauses that the cloud asked for. */
  nextPauseEnd(which?: 'own'): number | null
}

/** Delay before an unreadable camera (a damaged page) is read again; the others continue. */
const UNREADABLE_PAUSE_MS = 30_000
/** A record up to this size fits one message, and so does its header. */
const SURELY_FITS_BYTES = 512 * 1024

export function createLanes({ outbox, log, monotonic, isConfirmed }: LanesOptions): Lanes {
  const lanes: Record<LaneName, Map<number, Lane>> = { live: new Map(), backfill: new Map() }
  /** The last camera served: the next round starts behind it, so that a busy camera does not starve the others. */
  const lastServed: Record<LaneName, number> = { live: 0, backfill: 0 }

  function laneOf(name: LaneName, cameraId: number): Lane {
    const known = lanes[name].get(cameraId)
    if (known) return known
    // A camera without numbers at the start of the connection has only live records.
    const lane = newLane(name, cameraId, 0)
    lanes[name].set(cameraId, lane)
    return lane
  }

  function round(name: LaneName): Lane[] {
    const cameras = name === 'live' ? outbox.cameras() : [...lanes.backfill.keys()]
    const last = lastServed[name]
    const turn = [...cameras.filter((id) => id > last), ...cameras.filter((id) => id <= last)]
    return turn.map((id) => laneOf(name, id)).filter(({ pausedUntil }) => pausedUntil <= monotonic())
  }

  /** The next records of one lane with their position in the sequence. */
  function take(lane: Lane, limits: BatchLimits): Taken[] {
    const { cameraId } = lane
    const records = outbox.read(cameraId, { after: lane.after, upTo: lane.upTo }, limits)
    if (records.length === 0) return []
    const base = outbox.lowest(cameraId)
    const desde = outbox.lowest(cameraId, lane.from)
    if (base === null || desde === null) return []
    return records.map((record) => ({
      lane,
      record,
      item: sendable({ registro: record.registro, midias: record.midias, base, desde }, record.bytes),
    }))
  }

  /** Damaged or oversized pictures must not block later records: the event is sent without them. */
  function sendable(item: BatchItem, bytes: number): BatchItem {
    const { registro } = item
    const isLarge = bytes > SURELY_FITS_BYTES
    const fault = mediaFault(registro, item.midias) ?? (isLarge && !fits(item) ? 'registro grande demais' : null)
    if (fault === null) return item
    log.error({ camera: registro.camera_id, id: registro.id, fault }, 'the record cannot be sent with its pictures')
    const bare = { ...item, midias: [], registro: stripMedia(registro) }
    return fits(bare) ? bare : { ...bare, registro: asGap(positionOf(registro)) }
  }

  const fits = (item: BatchItem) => encodeBatch({ serie: outbox.serie, itens: [item] }) !== null

  /** Encodes as many records from the front as fit one message. */
  function encode(taken: readonly Taken[]): { payload: Buffer; taken: readonly Taken[] } | null {
    for (let n = taken.length; n > 0; n = Math.floor(n / 2)) {
      const part = taken.slice(0, n)
      const payload = encodeBatch({ serie: outbox.serie, itens: part.map(({ item }) => item) })
      if (payload) return { payload, taken: part }
    }
    return null
  }

  /** Fills a batch with records of the cameras in turn. */
  function collect(name: LaneName, limits: BatchLimits): Taken[] {
    const taken: Taken[] = []
    let bytes = 0
    for (const lane of round(name)) {
      // Records without an answer are sent separately, finally one by one: a record that cannot be stored blocks only
      // its camera.
      const alone = lane.silences > 0
      if (alone && taken.length > 0) continue
      const found = readable(lane, {
        records: lane.silences > 1 ? 1 : limits.records - taken.length,
        bytes: limits.bytes - bytes,
        atLeastOne: limits.atLeastOne && taken.length === 0,
      })
      if (found.length === 0) continue
      if (taken.length === 0) lastServed[name] = lane.cameraId
      taken.push(...found)
      bytes += found.reduce((sum, { record }) => sum + record.bytes, 0)
      if (alone || taken.length >= limits.records || bytes >= limits.bytes) break
    }
    return taken
  }

  function readable(lane: Lane, limits: BatchLimits): Taken[] {
    try {
      for (;;) {
        const found = take(lane, limits)
        const fresh = found.filter(({ record }) => !isConfirmed(record.registro.id))
        const last = found.at(-1)
        if (fresh.length > 0 || !last) return fresh
        lane.after = ultimoSeqDe(last.record.registro)
      }
    } catch (error) {
      log.error({ err: error, camera: lane.cameraId }, 'the outbox of this camera is unreadable')
      lane.pausedUntil = monotonic() + UNREADABLE_PAUSE_MS
      return []
    }
  }

  return {
    mark({ keepSilences } = { keepSilences: false }) {
      const silences = new Map<number, number>()
      for (const lane of keepSilences ? [...lanes.live.values(), ...lanes.backfill.values()] : [])
        silences.set(lane.cameraId, Math.max(lane.silences, silences.get(lane.cameraId) ?? 0))
      lanes.live.clear()
      lanes.backfill.clear()
      for (const cameraId of outbox.cameras()) {
        const mark = outbox.highest(cameraId)
        lanes.live.set(cameraId, newLane('live', cameraId, mark))
        if (outbox.lowest(cameraId) === null) continue
        const backfill = newLane('backfill', cameraId, mark)
        backfill.silences = silences.get(cameraId) ?? 0
        lanes.backfill.set(cameraId, backfill)
      }
    },
    next(name, limits) {
      const encoded = encode(collect(name, limits))
      if (!encoded) return null
      for (const { lane, record } of encoded.taken) lane.after = ultimoSeqDe(record.registro)
      return {
        payload: encoded.payload,
        items: encoded.taken.map(({ lane, record: { registro } }) => ({
          ...{ id: registro.id, lane },
          traceparent: registro.tipo === 'candidato' ? registro.traceparent : undefined,
        })),
      }
    },
    rewind(lane) {
      lane.after = lane.from
    },
    nextPauseEnd(which) {
      const now = monotonic()
      const ends = [...lanes.live.values(), ...lanes.backfill.values()]
        .filter(({ asked }) => which === undefined || !asked)
        .map(({ pausedUntil }) => pausedUntil)
        .filter((end) => end > now)
      return ends.length > 0 ? Math.min(...ends) : null
    },
  }
}

function newLane(name: LaneName, cameraId: number, mark: number): Lane {
  const numbers = name === 'live' ? { from: mark, upTo: Number.MAX_SAFE_INTEGER } : { from: 0, upTo: mark }
  return { cameraId, name, ...numbers, after: numbers.from, silences: 0, disorders: 0, pausedUntil: 0, asked: false }
}

const positionOf = (registro: Registro) => ({
  id: registro.id,
  camera_id: registro.camera_id,
  seq: primeiroSeqDe(registro),
  last_seq: ultimoSeqDe(registro),
})
