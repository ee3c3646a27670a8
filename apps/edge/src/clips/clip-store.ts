import type { EdgeDb } from '../db/edge-db.ts'
import { createRecordTimes } from '../time/record-times.ts'
import { type Stamp, type StampRow, stampRow } from '../time/stamp.ts'

/** A clip whose file is complete on the disk. */
export interface StoredClip {
  /** UUIDv7; also the name of its file. */
  readonly id: string
  readonly cameraId: number
  /** Edge clock at the first picture, in epoch ms. */
  readonly startedAt: number
  readonly bytes: number
  readonly sha256: string
}

/** A clip of this run of the program. */
export interface PlacedClip extends StoredClip {
  /** Clock of its times, as long as the time is not known. */
  readonly stamp?: Stamp | null
}

/** A request of the cloud for a clip. */
export interface ClipUpload {
  /** Path of the upload's creation below the address of the cloud. */
  readonly path: string
  readonly token: string
  /** Address of a begun upload. */
  readonly location: string | null
}

export interface ClipEvent {
  readonly event: string
  readonly cameraId: number
  /** Its number in the sequence of the camera; null: from an earlier version. */
  readonly seq: number | null
}

export interface ClipStore {
  /** A clip or a reason will follow for this event. Runs inside the transaction that stores the event. */
  expect(event: ClipEvent): void
  /**
   * Stores a clip and assigns to it those of its events that wait for one. `also` runs in the same transaction with
   * them. Without any, the clip is not stored: its events were dropped. Returns whether it is stored.
   */
  keep(clip: PlacedClip, events: readonly string[], also: (assigned: readonly string[]) => void): boolean
  /** Stores a clip that belongs to no event. */
  keepAlone(clip: PlacedClip): void
  /** The events are settled: they have no clip. `also` runs in the same transaction for those that were not. */
  settle(events: readonly string[], also: (event: ClipEvent) => void): void
  /** Removes a clip. `also` runs in the same transaction with its events. */
  remove(id: string, also: (events: readonly ClipEvent[]) => void): void
  /** Events that wait for a clip: all, or those of `cameraIds`. */
  awaiting(filter: 'all' | { readonly cameraIds: readonly number[] }): readonly string[]
  find(id: string): StoredClip | null
  /** Stores a request for a clip, in place of an earlier one. */
  want(id: string, upload: ClipUpload): void
  /** The newest clip that is wanted. */
  nextUpload(): { readonly clip: StoredClip; readonly upload: ClipUpload } | null
  setLocation(id: string, location: string): void
  /** The clip is no longer wanted. */
  endUpload(id: string): void
  /** The oldest clip that is not wanted; null: none. */
  cheapest(): StoredClip | null
  /** Clips that are not wanted and were kept before `before`, as far as their times are known. */
  expired(before: number): readonly string[]
  ids(): readonly string[]
  bytes(): number
}

interface Row {
  readonly id: string
  readonly camera_id: number
  readonly started_at: number
  readonly bytes: number
  readonly sha256: string
}

interface UploadRow extends Row {
  readonly upload_path: string
  readonly upload_token: string
  readonly upload_location: string | null
}

const COLUMNS = 'id, camera_id, started_at, bytes, sha256'
const toClip = (row: Row): StoredClip => ({
  id: row.id,
  cameraId: row.camera_id,
  startedAt: row.started_at,
  bytes: row.bytes,
  sha256: row.sha256,
})

/** Clips on the disk, and the events that wait for one. `now`: edge clock, in epoch ms. */
export function createClipStore(db: EdgeDb, { now }: { now(): number }): ClipStore {
  const times = createRecordTimes(db)
  const insertEvent = db.prepare('INSERT OR IGNORE INTO clip_events (event, camera_id, since, seq) VALUES (?, ?, ?, ?)')
  const assign = db.prepare('UPDATE clip_events SET clip = ? WHERE event = ? AND clip IS NULL')
  const insertClip = db.prepare(
    `INSERT INTO clips (id, camera_id, started_at, bytes, sha256, kept_at, boot, ahead)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const takeAwaiting = db.prepare<[string], { camera_id: number; seq: number | null }>(
    'DELETE FROM clip_events WHERE event = ? AND clip IS NULL RETURNING camera_id, seq',
  )
  const takeOfClip = db.prepare<[string], { event: string; camera_id: number; seq: number | null }>(
    'DELETE FROM clip_events WHERE clip = ? RETURNING event, camera_id, seq',
  )
  const removeClip = db.prepare('DELETE FROM clips WHERE id = ?')
  const awaitingAll = db.prepare<[], string>('SELECT event FROM clip_events WHERE clip IS NULL').pluck()
  const awaitingOf = db
    .prepare<[string], string>(
      'SELECT event FROM clip_events WHERE clip IS NULL AND camera_id IN (SELECT value FROM json_each(?))',
    )
    .pluck()
  const find = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM clips WHERE id = ?`)
  const cheapest = db.prepare<[], Row>(
    `SELECT ${COLUMNS} FROM clips WHERE upload_path IS NULL ORDER BY kept_at, id LIMIT 1`,
  )
  // The verdict is the cloud's: an event that it does not know yet has none.
  const expired = db.prepare<[number], { id: string; kept_at: number } & StampRow>(
    `SELECT id, kept_at, boot, ahead FROM clips WHERE upload_path IS NULL AND kept_at < ?
       AND NOT EXISTS (SELECT 1 FROM extras WHERE extras.id = clips.id)`,
  )
  const want = db.prepare('UPDATE clips SET upload_path = ?, upload_token = ?, upload_location = ? WHERE id = ?')
  const setLocation = db.prepare('UPDATE clips SET upload_location = ? WHERE id = ?')
  const nextUpload = db.prepare<[], UploadRow>(
    `SELECT ${COLUMNS}, upload_path, upload_token, upload_location FROM clips
     WHERE upload_path IS NOT NULL ORDER BY started_at DESC, id LIMIT 1`,
  )
  const ids = db.prepare<[], string>('SELECT id FROM clips').pluck()
  const bytes = db.prepare<[], number | null>('SELECT sum(bytes) FROM clips').pluck()

  function keepAlone({ id, cameraId, startedAt, bytes: size, sha256, stamp }: PlacedClip) {
    const { boot, ahead } = stampRow(stamp)
    insertClip.run(id, cameraId, startedAt, size, sha256, now(), boot, ahead)
  }
  const keep = db.transaction(
    (clip: PlacedClip, events: readonly string[], also: (assigned: readonly string[]) => void): boolean => {
      const assigned = events.filter((event) => assign.run(clip.id, event).changes > 0)
      if (assigned.length === 0) return false
      keepAlone(clip)
      also(assigned)
      return true
    },
  )
  const settle = db.transaction((events: readonly string[], also: (event: ClipEvent) => void) => {
    for (const event of events) {
      const taken = takeAwaiting.get(event)
      if (taken) also({ event, cameraId: taken.camera_id, seq: taken.seq })
    }
  })
  const remove = db.transaction((id: string, also: (events: readonly ClipEvent[]) => void) => {
    removeClip.run(id)
    also(takeOfClip.all(id).map(({ event, camera_id: cameraId, seq }) => ({ event, cameraId, seq })))
  })

  return {
    expect: ({ event, cameraId, seq }) => void insertEvent.run(event, cameraId, now(), seq),
    keep: (...args) => keep.immediate(...args),
    keepAlone,
    settle: (...args) => settle.immediate(...args),
    remove: (...args) => remove.immediate(...args),
    awaiting: (filter) => (filter === 'all' ? awaitingAll.all() : awaitingOf.all(JSON.stringify(filter.cameraIds))),
    find(id) {
      const row = find.get(id)
      return row ? toClip(row) : null
    },
    want: (id, { path, token, location }) => void want.run(path, token, location, id),
    nextUpload() {
      const row = nextUpload.get()
      if (!row) return null
      const { upload_path: path, upload_token: token, upload_location: location } = row
      return { clip: toClip(row), upload: { path, token, location } }
    },
    setLocation: (id, location) => void setLocation.run(location, id),
    endUpload: (id) => void want.run(null, null, null, id),
    cheapest() {
      const row = cheapest.get()
      return row ? toClip(row) : null
    },
    expired(before) {
      const isOld = ({ kept_at, ...row }: { kept_at: number } & StampRow) => {
        const { shiftMs, uncertainMs } = times.correction(row)
        return kept_at + shiftMs + (uncertainMs ?? 0) < before
      }
      return expired.all(before).flatMap((row) => (isOld(row) ? [row.id] : []))
    },
    ids: () => ids.all(),
    bytes: () => bytes.get() ?? 0,
  }
}
