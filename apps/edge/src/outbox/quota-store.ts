import { statSync } from 'node:fs'
import { stripMedia } from '@vigia/contracts/candidate'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { EdgeDb } from '../db/edge-db.ts'
import { readHeader } from '../db/record-header.ts'
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
  extras: number
  media: number
  records: number
}

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
/** Extras are small. */
const EXTRAS_AT_ONCE = 64
/** Limits of one call: when others fill the disk, a large outbox shrinks over several short calls. */
const MOST_EXTRAS = 4096
const MOST_MEDIA = 256
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
 * included. The reserve of free space protects other data on the machine. The oldest extras are dropped first, then the
 * pictures of the oldest, least severe candidates. Then follow those candidates themselves, each replaced by a gap
 * record. The extras about clips stay, without their pictures: each event must get its clip or a reason.
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
       WHERE kind NOT IN ('clipe', 'sem_clipe') ORDER BY position LIMIT ?)`,
  )
  const stripClips = db.prepare(
    `UPDATE extras SET bytes = x'', header = json_set(header, '$.imagem', json('null'))
     WHERE position IN (SELECT position FROM extras
       WHERE kind = 'clipe' AND length(bytes) > 0 ORDER BY position LIMIT ?)`,
  )
  const deleteMedia = db.prepare('DELETE FROM media WHERE record = ?')
  const rewrite = db.prepare('UPDATE records SET header = ?, has_media = 0 WHERE position = ?')
  const gaps = createGaps(db)

  const usedBytes = () => (pages.get()?.used ?? 0) * pageSize
  const fileBytes = () => (db.memory ? usedBytes() : statSync(db.name).size)

  function limitBytes(): number {
    const free = quota.freeBytes()
    if (free === null) return quota.maxBytes
    // The write-ahead log is not counted as the outbox's: the limit errs in favour of the other data.
    const leftToUs = fileBytes() + free - quota.reserveBytes
    return Math.min(quota.maxBytes, Math.max(FLOOR_BYTES, leftToUs))
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

  function dropRecords(limit: number, busy: ReadonlySet<string>): number {
    let dropped = 0
    for (const page of candidates(0, busy, PAGE_OF_CANDIDATES)) {
      let rest = page
      while (rest.length > 0) {
        const excess = usedBytes() - limit
        if (excess <= 0 || dropped >= MOST_RECORDS) return dropped
        // Drops records in steps by estimated size, then measures again: a page is free only without any content.
        let count = 0
        for (let bytes = 0; count < rest.length && bytes < excess; count++)
          bytes += (rest[count]?.header.length ?? 0) + ROW_OVERHEAD
        gaps.putInPlaceOf(rest.slice(0, count), busy)
        dropped += count
        rest = rest.slice(count)
      }
    }
    return dropped
  }

  const isShort = () => {
    const free = quota.freeBytes()
    return free !== null && free < quota.reserveBytes
  }

  return {
    enforce() {
      const limit = limitBytes()
      if (usedBytes() <= limit) return { extras: 0, media: 0, records: 0 }
      const busy = inFlight()
      const extras = dropExtras(limit)
      if (extras >= MOST_EXTRAS) return { extras, media: 0, records: 0 }
      const media = dropMedia(limit, busy)
      // Gap records need only a few hundred bytes per camera: when only they remain, nothing is dropped.
      const records = media < MOST_MEDIA && usedBytes() > limit ? dropRecords(limit, busy) : 0
      return { extras, media, records }
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
