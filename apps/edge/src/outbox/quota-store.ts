import { statSync } from 'node:fs'
import { stripMedia } from '@vigia/contracts/candidate'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { EdgeDb } from '../db/edge-db.ts'
import { readHeader } from '../db/record-header.ts'
import { createClipNotes } from './clip-note-store.ts'
import { createExtras } from './extra-store.ts'
import { createGaps, type DroppedRow } from './gap-store.ts'

export interface OutboxQuota {
  /** Largest size of the outbox. */
  readonly maxBytes: number
  /** Free space to leave on the disk for other data. */
  readonly reserveBytes: number
  /** Current free space of the disk; null: unknown. */
  freeBytes(): number | null
}

export interface Dropped {
  readonly extras: number
  /** Ids of dropped clips, whose files the caller removes. */
  readonly clips: readonly string[]
  readonly media: number
  /** Notes about clips of kept events, replaced by lists. */
  readonly notes: number
  readonly records: number
}

/** Whether anything was dropped. */
export const isAnyDropped = ({ extras, clips, media, notes, records }: Dropped): boolean =>
  extras + clips.length + media + notes + records > 0

export interface Quota {
  /** Drops the least valuable content until the quota holds. Runs inside the caller's transaction. */
  enforce(): Dropped
  /** Returns pages to the file system when many are free or the disk is short of space. Outside any transaction. */
  giveBack(): void
  /** Bytes in use. */
  usedBytes(): number
}

export interface QuotaOptions {
  readonly quota: OutboxQuota
  /** Ids of records in flight, which must not change. */
  inFlight(): ReadonlySet<string>
}

/** Free pages (4 KiB) kept for the next events; pages above are returned to the disk in steps. */
const SPARE_PAGES = 4096
const SPARE_PAGES_WHEN_SHORT = 64
const GIVE_BACK_PAGES = 1024
/** Extras and notes are small. */
const EXTRAS_AT_ONCE = 64
/** Limits of one call: when others fill the disk, a large outbox shrinks over several short calls. */
const MOST_EXTRAS = 4096
const MOST_CLIPS = 256
const MOST_MEDIA = 256
const MOST_NOTES = 1024
const MOST_RECORDS = 4096
const PAGE_OF_CANDIDATES = 256
/** Size of a record beside its header: its row and its entries in three indexes, in bytes. */
const ROW_OVERHEAD = 150
/**
 * Minimum size of the outbox on a full disk: events that are sent at once pass through it too. If not even this fits,
 * the write itself fails.
 */
const FLOOR_BYTES = 4 * 1024 * 1024

/**
 * Quota of the outbox in bytes and in free space. The size counts used pages, so that indexes and half-filled pages are
 * included. The reserve of free space protects other data on the machine. Content is dropped in this order
 * (docs/link.md): extras, clips, pictures, notes about clips, candidates. Each step begins when the one before has
 * nothing left. Pictures and candidates go by severity, then by age; a gap record takes the place of candidates. Notes
 * and clips of a dropped candidate go with it.
 */
export function createQuota(db: EdgeDb, { quota, inFlight }: QuotaOptions): Quota {
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  const pages = db.prepare<[], { used: number; free: number }>(
    `SELECT page_count - freelist_count AS used, freelist_count AS free
     FROM pragma_page_count(), pragma_freelist_count()`,
  )
  /** Candidates in ascending value (index `records_by_worth`) after a given position in that order. */
  const cheapest = db.prepare<[number, number, number, number], DroppedRow & { severity: number }>(
    `SELECT position, id, camera_id, seq, last_seq, severity, header FROM records
     WHERE is_gap = 0 AND has_media = ? AND (severity, position) > (?, ?) ORDER BY severity, position LIMIT ?`,
  )
  const deleteExtras = db.prepare(
    `DELETE FROM extras WHERE position IN (SELECT position FROM extras
       WHERE kind IN ('evidencia', 'descartado') ORDER BY position LIMIT ?)`,
  )
  const stripClips = db.prepare(
    `UPDATE extras SET bytes = x'', header = json_set(header, '$.imagem', json('null'))
     WHERE position IN (SELECT position FROM extras
       WHERE kind = 'clipe' AND length(bytes) > 0 ORDER BY position LIMIT ?)`,
  )
  const deleteMedia = db.prepare('DELETE FROM media WHERE record = ?')
  const rewrite = db.prepare('UPDATE records SET header = ?, has_media = 0 WHERE position = ?')
  const clipNotes = createClipNotes(db, createExtras(db))
  const gaps = createGaps(db, ({ camera_id, de_seq, ate_seq }) => clipNotes.covered(camera_id, de_seq, ate_seq))
  /** The configuration lies in the same file, and must not use up the minimum of the outbox. */
  const desiredBytes = db.prepare<[], number>('SELECT coalesce(sum(octet_length(document)), 0) FROM desired').pluck()

  const usedBytes = () => (pages.get()?.used ?? 0) * pageSize
  const fileBytes = () => (db.memory ? usedBytes() : statSync(db.name).size)

  function limitBytes(): number {
    const free = quota.freeBytes()
    if (free === null) return quota.maxBytes
    // The write-ahead log is not counted as the outbox's: the limit errs in favour of the other data.
    const leftToUs = fileBytes() + free - quota.reserveBytes
    return Math.min(quota.maxBytes, Math.max(FLOOR_BYTES + (desiredBytes.get() ?? 0), leftToUs))
  }

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

  /** Also those in flight: the answer of the cloud to an unknown extra changes nothing. */
  function dropExtras(limit: number): number {
    let dropped = 0
    for (const change of [deleteExtras, stripClips])
      while (usedBytes() > limit && dropped < MOST_EXTRAS) {
        const { changes } = change.run(EXTRAS_AT_ONCE)
        dropped += changes
        if (changes < EXTRAS_AT_ONCE) break
      }
    return dropped
  }

  /** The caller removes the files after the transaction; on a short disk their bytes count as free already. */
  function dropClips(limit: number): { clips: string[]; limit: number } {
    const clips: string[] = []
    let raised = limit
    while (usedBytes() > raised && clips.length < MOST_CLIPS) {
      const clip = clipNotes.dropClip()
      if (clip === null) break
      clips.push(clip.id)
      raised = Math.min(quota.maxBytes, raised + clip.bytes)
    }
    return { clips, limit: raised }
  }

  function listNotes(limit: number): number {
    let listed = 0
    while (usedBytes() > limit && listed < MOST_NOTES) {
      const count = clipNotes.listNotes(EXTRAS_AT_ONCE)
      listed += count
      if (count < EXTRAS_AT_ONCE) break
    }
    return listed
  }

  function dropMedia(limit: number, busy: ReadonlySet<string>): number {
    let dropped = 0
    for (const page of candidates(1, busy, 16)) {
      for (const row of page) {
        if (usedBytes() <= limit || dropped >= MOST_MEDIA) return dropped
        strip(row)
        dropped++
      }
    }
    return dropped
  }

  function dropRecords(limit: number, busy: ReadonlySet<string>): { records: number; clips: readonly string[] } {
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
  }

  const isShort = () => {
    const free = quota.freeBytes()
    return free !== null && free < quota.reserveBytes
  }

  return {
    enforce() {
      let limit = limitBytes()
      const dropped = { extras: 0, clips: [] as string[], media: 0, notes: 0, records: 0 }
      if (usedBytes() <= limit) return dropped
      const busy = inFlight()
      // A step that reaches the limit of one call leaves the rest, and the next steps, to the next call.
      dropped.extras = dropExtras(limit)
      if (dropped.extras >= MOST_EXTRAS) return dropped
      const byClips = dropClips(limit)
      dropped.clips = byClips.clips
      limit = byClips.limit
      if (dropped.clips.length >= MOST_CLIPS) return dropped
      dropped.media = dropMedia(limit, busy)
      if (dropped.media >= MOST_MEDIA) return dropped
      dropped.notes = listNotes(limit)
      if (dropped.notes >= MOST_NOTES || usedBytes() <= limit) return dropped
      // Gap records need only a few hundred bytes per camera: when only they remain, nothing is dropped.
      const { records, clips } = dropRecords(limit, busy)
      return { ...dropped, records, clips: [...dropped.clips, ...clips] }
    },
    giveBack() {
      const free = pages.get()?.free ?? 0
      if (free <= SPARE_PAGES_WHEN_SHORT) return
      const short = isShort()
      const spare = short ? SPARE_PAGES_WHEN_SHORT : SPARE_PAGES
      if (free <= spare) return
      try {
        db.pragma(`incremental_vacuum(${Math.min(GIVE_BACK_PAGES, free - spare)})`)
        // The file shrinks only when the write-ahead log is merged into it.
        if (short) db.pragma('wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // A failure here is ignored: the changes are already committed, and the next call tries again.
        if (!isDiskFailure(error)) throw error
      }
    },
    usedBytes,
  }
}
