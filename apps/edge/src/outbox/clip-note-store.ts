import { MAX_SEQS_SEM_CLIPES } from '@vigia/contracts/extras'
import type { EdgeDb } from '../db/edge-db.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import { type createExtras, parseExtra } from './extra-store.ts'

/**
 * Drops clips and the notes about them (`clipe`, `sem_clipe`) for the quota. A list (`sem_clipes`) of a few bytes per
 * event takes the place of the notes. The cloud still learns that an event has no clip. Each call runs inside the
 * caller's transaction.
 */
export interface ClipNotes {
  /** Removes all extras and clips of events that are dropped. Returns the ids of the clips without another event. */
  forget(events: readonly string[]): readonly string[]
  /** Removes the numbers of a gap record from the lists. */
  covered(cameraId: number, deSeq: number, ateSeq: number): void
  /** Removes the oldest clip: of those that the cloud has not ordered, then of the others. null: there is none. */
  dropClip(): DroppedClip | null
  /** Replaces the oldest notes by lists; returns their number. */
  listNotes(limit: number): number
}

interface DroppedClip {
  readonly id: string
  /** Size of its file. */
  readonly bytes: number
}

interface EventRow {
  readonly event: string
  readonly camera_id: number
  readonly seq: number | null
}

export function createClipNotes(db: EdgeDb, extras: ReturnType<typeof createExtras>): ClipNotes {
  const deleteExtrasOf = db.prepare('DELETE FROM extras WHERE candidate IN (SELECT value FROM json_each(?))')
  const takeEvents = db
    .prepare<[string], string | null>(
      'DELETE FROM clip_events WHERE event IN (SELECT value FROM json_each(?)) RETURNING clip',
    )
    .pluck()
  const isShared = db.prepare<[string]>('SELECT 1 FROM clip_events WHERE clip = ? LIMIT 1')
  const deleteClip = db.prepare('DELETE FROM clips WHERE id = ?')
  const oldest = (which: 'IS NULL' | 'IS NOT NULL') =>
    db.prepare<[], DroppedClip>(`SELECT id, bytes FROM clips WHERE upload_path ${which} ORDER BY kept_at, id LIMIT 1`)
  const oldestUnwanted = oldest('IS NULL')
  const oldestWanted = oldest('IS NOT NULL')
  const takeEventsOf = db.prepare<[string], EventRow>(
    'DELETE FROM clip_events WHERE clip = ? RETURNING event, camera_id, seq',
  )
  const seqOf = db.prepare<[string], number>('SELECT seq FROM records WHERE id = ?').pluck()
  const oldestNotes = db.prepare<[number], EventRow & { position: number }>(
    `SELECT position, candidate AS event, json_extract(header, '$.camera_id') AS camera_id, seq FROM extras
     WHERE kind = 'sem_clipe' ORDER BY position LIMIT ?`,
  )
  const deleteAt = db.prepare('DELETE FROM extras WHERE position = ?')
  const listsOf = db.prepare<[number, number, number], { position: number; header: string; seq: number }>(
    `SELECT position, header, seq FROM extras WHERE kind = 'sem_clipes' AND camera_id = ? AND seq BETWEEN ? AND ?`,
  )

  const removeClip = (id: string) => {
    deleteClip.run(id)
    extras.remove([id])
  }

  const numbersIn = (header: string): readonly number[] => {
    const extra = parseExtra(header)
    return extra?.tipo === 'sem_clipes' ? extra.seqs : []
  }

  /** The id is new: the answer to a former list, which may be in flight, must not remove this one. */
  const insertList = (cameraId: number, first: number, seqs: readonly number[]) =>
    extras.insert({ ...absence(cameraId), tipo: 'sem_clipes', seqs: [...seqs] }, null, { cameraId, seq: first })

  /** false: the number of the event is unknown, so that no list can name it. */
  function list({ event, camera_id: cameraId, ...row }: EventRow): boolean {
    const seq = row.seq ?? seqOf.get(event)
    if (seq === undefined) return false
    const first = firstOfList(seq)
    const former = listsOf.get(cameraId, first, first)
    const seqs = new Set(former && numbersIn(former.header))
    if (seqs.has(seq)) return true
    if (former) deleteAt.run(former.position)
    insertList(
      cameraId,
      first,
      [...seqs, seq].toSorted((a, b) => a - b),
    )
    return true
  }

  return {
    forget(events) {
      const listed = JSON.stringify(events)
      deleteExtrasOf.run(listed)
      const clips = new Set(takeEvents.all(listed).filter((clip) => clip !== null))
      const alone = [...clips].filter((clip) => isShared.get(clip) === undefined)
      for (const clip of alone) removeClip(clip)
      return alone
    },
    covered(cameraId, deSeq, ateSeq) {
      for (const { position, header, seq: first } of listsOf.all(cameraId, firstOfList(deSeq), ateSeq)) {
        const seqs = numbersIn(header)
        const left = seqs.filter((seq) => seq < deSeq || seq > ateSeq)
        if (left.length === seqs.length) continue
        deleteAt.run(position)
        if (left.length > 0) insertList(cameraId, first, left)
      }
    },
    dropClip() {
      const clip = oldestUnwanted.get() ?? oldestWanted.get()
      if (!clip) return null
      removeClip(clip.id)
      for (const row of takeEventsOf.all(clip.id))
        if (!list(row)) extras.insert({ ...absence(row.camera_id), tipo: 'sem_clipe', evento: row.event }, null)
      return clip
    },
    listNotes(limit) {
      const notes = oldestNotes.all(limit)
      for (const note of notes) {
        deleteAt.run(note.position)
        // An event of an earlier version that the cloud already has.
        list(note)
      }
      return notes.length
    },
  }
}

/** Lists have fixed ranges of numbers, so that the list of a number is found without a search. */
const firstOfList = (seq: number): number => seq - ((seq - 1) % MAX_SEQS_SEM_CLIPES)

const absence = (cameraId: number) =>
  ({ v: 1, id: uuidV7(Date.now()), camera_id: cameraId, motivo: 'disco_cheio' }) as const
