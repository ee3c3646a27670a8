import { stripMedia } from '@vigia/contracts/candidate'
import type { EdgeDb } from '../db/edge-db.ts'
import { readHeader } from '../db/record-header.ts'
import type { ClipNotes } from './clip-note-store.ts'
import { createGaps, type DroppedRow } from './gap-store.ts'

/** The candidates that the quota may drop, in ascending value: by severity, then by age. */
export interface CheapRecords {
  /** Drops pictures until the outbox uses no more than `limit` bytes; `busy`: records in flight. */
  dropMedia(limit: number, busy: ReadonlySet<string>): number
  /** Drops candidates in the same way; a gap record takes their place. Returns the ids of clips without an event. */
  dropRecords(limit: number, busy: ReadonlySet<string>): { records: number; clips: readonly string[] }
}

interface CheapRecordsOptions {
  readonly clipNotes: Pick<ClipNotes, 'covered' | 'forget'>
  /** Bytes in use by the outbox. */
  usedBytes(): number
}

/** Limits of one call: when others fill the disk, a large outbox shrinks over several short calls. */
export const MOST_MEDIA = 256
const MOST_RECORDS = 4096
const PAGE_OF_CANDIDATES = 256
/** Size of a record beside its header: its row and its entries in three indexes, in bytes. */
const ROW_OVERHEAD = 150

/** Each call runs inside the caller's transaction. */
export function createCheapRecords(db: EdgeDb, { clipNotes, usedBytes }: CheapRecordsOptions): CheapRecords {
  /** Candidates in ascending value (index `records_by_worth`) after a given position in that order. */
  const cheapest = db.prepare<[number, number, number, number], DroppedRow & { severity: number }>(
    `SELECT position, id, camera_id, seq, last_seq, severity, header, boot, ahead FROM records
     WHERE is_gap = 0 AND has_media = ? AND (severity, position) > (?, ?) ORDER BY severity, position LIMIT ?`,
  )
  const deleteMedia = db.prepare('DELETE FROM media WHERE record = ?')
  const rewrite = db.prepare('UPDATE records SET header = ?, has_media = 0 WHERE position = ?')
  const gaps = createGaps(db, ({ camera_id, de_seq, ate_seq }) => clipNotes.covered(camera_id, de_seq, ate_seq))

  /** Yields each candidate that is not in flight, in ascending value. The caller may change yielded candidates. */
  function* candidates(hasMedia: 0 | 1, busy: ReadonlySet<string>, atOnce: number) {
    let severity = -1
    let position = -1
    for (;;) {
      const page = cheapest.all(hasMedia, severity, position, atOnce)
      yield page.filter(({ id }) => !busy.has(id))
      const last = page.at(-1)
      if (!last || page.length < atOnce) return
      severity = last.severity
      position = last.position
    }
  }

  function strip(row: DroppedRow) {
    deleteMedia.run(row.position)
    rewrite.run(JSON.stringify(stripMedia(readHeader(row))), row.position)
  }

  return {
    dropMedia(limit, busy) {
      let dropped = 0
      for (const page of candidates(1, busy, 16)) {
        for (const row of page) {
          if (usedBytes() <= limit || dropped >= MOST_MEDIA) return dropped
          strip(row)
          dropped++
        }
      }
      return dropped
    },
    dropRecords(limit, busy) {
      let dropped = 0
      const clips: string[] = []
      for (const page of candidates(0, busy, PAGE_OF_CANDIDATES)) {
        let rest = page
        while (rest.length > 0) {
          const excess = usedBytes() - limit
          if (excess <= 0 || dropped >= MOST_RECORDS) return { records: dropped, clips }
          // Drops records in steps by estimated size, then measures again: a page is free only without any content.
          let count = 0
          for (let bytes = 0; count < rest.length && bytes < excess; count++)
            bytes += (rest[count]?.header.length ?? 0) + ROW_OVERHEAD
          const gone = rest.slice(0, count)
          gaps.putInPlaceOf(gone, busy)
          clips.push(...clipNotes.forget(gone.map(({ id }) => id)))
          dropped += count
          rest = rest.slice(count)
        }
      }
      return { records: dropped, clips }
    },
  }
}
