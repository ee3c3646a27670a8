import { primeiroSeqDe, type Registro, stripMedia, ultimoSeqDe } from '@vigia/contracts/candidate'
import { type BatchItem, encodeBatch, mediaFault } from '@vigia/link/batch'
import type { Logger } from 'pino'
import { asGap } from '../db/record-header.ts'
import type { Lane } from './lane.ts'
import type { StoredRecord } from './lane-store.ts'
import type { Outbox } from './outbox.ts'

export interface BatchLimits {
  readonly records: number
  readonly bytes: number
  /** One record may be larger than `bytes`. */
  readonly atLeastOne: boolean
}

/** A record on its way into a batch. */
export interface Taken {
  readonly lane: Lane
  readonly record: StoredRecord
  readonly item: BatchItem
}

/** Reads the records of a lane from the outbox and makes messages of them. */
export interface RecordBatches {
  /** The next records of one lane. None if the camera is unreadable: its lane pauses. */
  read(lane: Lane, limits: BatchLimits): Taken[]
  /** Encodes as many records from the front as fit one message. */
  encode(taken: readonly Taken[]): { payload: Buffer; taken: readonly Taken[] } | null
}

interface RecordBatchesOptions {
  readonly outbox: Pick<Outbox, 'serie' | 'lowest' | 'read'>
  readonly log: Logger
  monotonic(): number
  /** Whether the cloud has the record but its removal from the disk has failed so far. */
  isConfirmed(id: string): boolean
}

/** Delay before an unreadable camera (a damaged page) is read again; the others continue. */
const UNREADABLE_PAUSE_MS = 30_000
/** A record up to this size fits one message, and so does its header. */
const SURELY_FITS_BYTES = 512 * 1024

export function createRecordBatches({ outbox, log, monotonic, isConfirmed }: RecordBatchesOptions): RecordBatches {
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

  return {
    read(lane, limits) {
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
    },
    encode(taken) {
      for (let n = taken.length; n > 0; n = Math.floor(n / 2)) {
        const part = taken.slice(0, n)
        const payload = encodeBatch({ serie: outbox.serie, itens: part.map(({ item }) => item) })
        if (payload) return { payload, taken: part }
      }
      return null
    },
  }
}

const positionOf = (registro: Registro) => ({
  id: registro.id,
  camera_id: registro.camera_id,
  seq: primeiroSeqDe(registro),
  last_seq: ultimoSeqDe(registro),
})
