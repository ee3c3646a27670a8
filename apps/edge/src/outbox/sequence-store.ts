import type { EdgeDb } from '../db/edge-db.ts'
import type { LaneReader } from './lane-store.ts'

/** The sequence numbers of each camera. */
export interface Sequences {
  /** Takes the next `n` numbers; returns the last of them. Runs inside the caller's transaction. */
  take(cameraId: number, n: number): number
  /**
   * Sets the camera's count to at least `seq`; never lowers it. While records wait, the count is raised only after
   * their removal.
   */
  raiseTo(cameraId: number, seq: number): void
  byCamera(): { camera_id: number; registros: number; ultimo_seq: number }[]
}

interface SequencesOptions {
  readonly reader: Pick<LaneReader, 'highest' | 'lowest'>
  /** Runs a change that must be possible on a full disk too. */
  freeingSpace<T>(change: () => T): T
}

export function createSequences(db: EdgeDb, { reader, freeingSpace }: SequencesOptions): Sequences {
  const nextSeqs = db.prepare<[number, number, number], { last: number }>(
    `INSERT INTO sequences (camera_id, last) VALUES (?, ?)
     ON CONFLICT (camera_id) DO UPDATE SET last = last + ? RETURNING last`,
  )
  const raise = db.prepare(
    `INSERT INTO sequences (camera_id, last) VALUES (?, ?)
     ON CONFLICT (camera_id) DO UPDATE SET last = excluded.last WHERE excluded.last > last`,
  )
  const countByCamera = db.prepare<[], ReturnType<Sequences['byCamera']>[number]>(
    `SELECT camera_id, last AS ultimo_seq,
       (SELECT count(*) FROM records WHERE records.camera_id = sequences.camera_id) AS registros
     FROM sequences ORDER BY camera_id`,
  )

  /** The cloud's counts that are not applied yet. */
  const pendingCounts = new Map<number, number>()

  /**
   * Writes nothing for a known count, because the cloud repeats it with every configuration. true: the count is at
   * least `seq`.
   */
  function raiseIfEmpty(cameraId: number, seq: number): boolean {
    if (seq <= reader.highest(cameraId)) return true
    if (reader.lowest(cameraId) !== null) return false
    raise.run(cameraId, seq)
    return true
  }

  return {
    take(cameraId, n) {
      const seq = pendingCounts.get(cameraId)
      if (seq !== undefined) raiseIfEmpty(cameraId, seq)
      const last = nextSeqs.get(cameraId, n, n)?.last
      if (last === undefined) throw new Error('no sequence number')
      return last
    },
    raiseTo(cameraId, seq) {
      if (freeingSpace(() => raiseIfEmpty(cameraId, seq))) pendingCounts.delete(cameraId)
      else pendingCounts.set(cameraId, seq)
    },
    byCamera: () => countByCamera.all(),
  }
}
