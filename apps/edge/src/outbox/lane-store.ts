import type { Registro } from '@vigia/contracts/candidate'
import { MAX_RECORD_BYTES } from '@vigia/link/limits'
import type { EdgeDb } from '../db/edge-db.ts'
import { type HeaderRow, readHeader } from '../db/record-header.ts'
import { createRecordTimes, withRightTimes } from '../time/record-times.ts'
import type { StampRow } from '../time/stamp.ts'

export interface StoredRecord {
  readonly registro: Registro
  readonly midias: readonly Buffer[]
  /** Size in a message: header and media. */
  readonly bytes: number
}

/** Numbers of one camera: above `after` up to `upTo`. */
interface Range {
  readonly after: number
  readonly upTo: number
}

interface ReadLimits {
  readonly records: number
  readonly bytes: number
  /** The first record is returned even if it is larger than `bytes`. */
  readonly atLeastOne: boolean
}

/**
 * Reads the records of the outbox, one camera at a time, in the order of their numbers. The cost of a call does not
 * depend on the backlog.
 */
export interface LaneReader {
  /** Cameras that have, or had, records. */
  cameras(): readonly number[]
  /** Highest number given so far; 0: none. */
  highest(cameraId: number): number
  /** Lowest number above `above` (default 0) at which a record begins; null: none. */
  lowest(cameraId: number, above?: number): number | null
  read(cameraId: number, range: Range, limits: ReadLimits): readonly StoredRecord[]
}

interface Row extends HeaderRow, StampRow {
  readonly position: number
  readonly has_media: number
}

/** Rows per query: records with pictures are large, so that few of them fill a batch. */
const FETCH = 16

export function createLaneReader(db: EdgeDb): LaneReader {
  const times = createRecordTimes(db)
  const selectCameras = db.prepare<[], { camera_id: number }>('SELECT camera_id FROM sequences ORDER BY camera_id')
  const selectLast = db.prepare<[number], { last: number }>('SELECT last FROM sequences WHERE camera_id = ?')
  const selectLowest = db.prepare<[number, number], { seq: number }>(
    'SELECT seq FROM records WHERE camera_id = ? AND seq > ? ORDER BY seq LIMIT 1',
  )
  const selectRows = db.prepare<[number, number, number, number], Row>(
    `SELECT position, id, camera_id, seq, last_seq, has_media, header, boot, ahead FROM records
     WHERE camera_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const selectMediaBytes = db.prepare<[number], { bytes: number }>(
    'SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM media WHERE record = ?',
  )
  const selectMedia = db.prepare<[number], { bytes: Buffer }>(
    'SELECT bytes FROM media WHERE record = ? ORDER BY ordinal',
  )

  function* rows(cameraId: number, { after, upTo }: Range, records: number): Generator<Row> {
    let left = records
    let from = after
    while (left > 0) {
      const wanted = Math.min(left, FETCH)
      const found = selectRows.all(cameraId, from, upTo, wanted)
      yield* found
      if (found.length < wanted) return
      left -= found.length
      from = found.at(-1)?.seq ?? upTo
    }
  }

  return {
    cameras: () => selectCameras.all().map(({ camera_id }) => camera_id),
    highest: (cameraId) => selectLast.get(cameraId)?.last ?? 0,
    lowest: (cameraId, above = 0) => selectLowest.get(cameraId, above)?.seq ?? null,
    read(cameraId, range, limits) {
      const taken: StoredRecord[] = []
      let total = 0
      for (const row of rows(cameraId, range, limits.records)) {
        const mediaBytes = row.has_media === 1 ? (selectMediaBytes.get(row.position)?.bytes ?? 0) : 0
        // No message can carry this record: its pictures are not read, and `take` in lanes.ts replaces the record.
        const fits = mediaBytes <= MAX_RECORD_BYTES
        const bytes = row.header.length + (fits ? mediaBytes : 0)
        if (total + bytes > limits.bytes && !(limits.atLeastOne && taken.length === 0)) break
        total += bytes
        const media = fits && mediaBytes > 0 ? selectMedia.all(row.position) : []
        const registro = withRightTimes(readHeader(row), times.correction(row))
        taken.push({ registro, midias: media.map((one) => one.bytes), bytes })
      }
      return taken
    },
  }
}
