import { statSync } from 'node:fs'
import type { Candidato } from '@vigia/contracts/candidate'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { EdgeDb } from '../db/edge-db.ts'
import { readHeader } from '../db/record-header.ts'
import { createGaps, type DroppedRow } from './gap-store.ts'

export interface OutboxQuota {
  /** Largest size of the outbox, bytes. */
  readonly maxBytes: number
  /** Free space that is left to everything else on the disk, bytes. */
  readonly reserveBytes: number
  /** Free space of the disk now, bytes; null: can not be told. */
  freeBytes(): number | null
}

export interface Dropped {
  media: number
  records: number
}

export interface Quota {
  /** Drops what is worth least until the quota holds. Inside the caller's transaction. */
  enforce(): Dropped
  /** Returns pages to the file system when many lie free, or when the disk is short of space. Outside any transaction. */
  giveBack(): void
  /** Bytes in use. */
  usedBytes(): number
}

export interface QuotaOptions {
  readonly quota: OutboxQuota
  /** Records that are on their way to the cloud right now: they are left alone. */
  inFlight(): ReadonlySet<string>
}

/** Free pages (4 KiB) kept for the next events; more than these go back to the disk, some at a time. */
const SPARE_PAGES = 4096
const SPARE_PAGES_WHEN_SHORT = 64
const GIVE_BACK_PAGES = 1024
/** What one call drops at most: when others fill the disk, a large outbox shrinks over several calls, each of them short. */
const MOST_MEDIA = 256
const MOST_RECORDS = 4096
const PAGE_OF_CANDIDATES = 256
/** What a record takes beside its header: its own row and its entries in three indexes, bytes. */
const ROW_OVERHEAD = 150
/**
 * However little space others leave, this much may wait: events that are sent at once pass through here too. When not even this
 * fits, the disk says so itself.
 */
const FLOOR_BYTES = 4 * 1024 * 1024

/**
 * Quota of the outbox: of bytes, counted in pages that hold something, so that indexes and half-filled pages count too; and of
 * free space, so that the outbox never takes what the rest of the box needs. What goes first: the pictures of the oldest, least
 * severe candidates; when no pictures are left, those candidates themselves, each leaving a gap record in its place.
 */
export function createQuota(db: EdgeDb, { quota, inFlight }: QuotaOptions): Quota {
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  const pages = db.prepare<[], { used: number; free: number }>(
    'SELECT page_count - freelist_count AS used, freelist_count AS free FROM pragma_page_count(), pragma_freelist_count()',
  )
  /** Candidates by worth, the cheapest first (index `records_by_worth`), above a place in that order. */
  const cheapest = db.prepare<[number, number, number, number], DroppedRow & { severity: number }>(
    `SELECT position, id, camera_id, seq, last_seq, severity, header FROM records
     WHERE is_gap = 0 AND has_media = ? AND (severity, position) > (?, ?) ORDER BY severity, position LIMIT ?`,
  )
  const deleteMedia = db.prepare('DELETE FROM media WHERE record = ?')
  const rewrite = db.prepare('UPDATE records SET header = ?, has_media = 0 WHERE position = ?')
  const gaps = createGaps(db)

  const usedBytes = () => (pages.get()?.used ?? 0) * pageSize
  const fileBytes = () => (db.memory ? usedBytes() : statSync(db.name).size)

  function limitBytes(): number {
    const free = quota.freeBytes()
    if (free === null) return quota.maxBytes
    // What lies in the write-ahead log is not counted as the outbox's: the limit errs on the side of the others.
    const leftToUs = fileBytes() + free - quota.reserveBytes
    return Math.min(quota.maxBytes, Math.max(FLOOR_BYTES, leftToUs))
  }

  /** Each candidate that is not on its way, the cheapest first. Those it has given out may be changed meanwhile. */
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
    const header = readHeader(row)
    deleteMedia.run(row.position)
    const bare =
      header.tipo === 'candidato' ? ({ ...header, midias: [], midia_descartada: true } satisfies Candidato) : header
    rewrite.run(JSON.stringify(bare), row.position)
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
        // As many as may make up the excess, then another look: pages come free only when all that lies in them is gone.
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
      if (usedBytes() <= limit) return { media: 0, records: 0 }
      const busy = inFlight()
      const media = dropMedia(limit, busy)
      // Gap records alone are a few hundred bytes a camera: when only they are left, there is nothing more to drop.
      const records = media < MOST_MEDIA && usedBytes() > limit ? dropRecords(limit, busy) : 0
      return { media, records }
    },
    giveBack() {
      const free = pages.get()?.free ?? 0
      if (free <= SPARE_PAGES_WHEN_SHORT) return
      const short = isShort()
      const spare = short ? SPARE_PAGES_WHEN_SHORT : SPARE_PAGES
      if (free <= spare) return
      try {
        db.pragma(`incremental_vacuum(${Math.min(GIVE_BACK_PAGES, free - spare)})`)
        // The file itself shrinks only when the write-ahead log is carried over into it.
        if (short) db.pragma('wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // Housekeeping: what was kept or removed is committed, and the next change tries this again.
        if (!isDiskFailure(error)) throw error
      }
    },
    usedBytes,
  }
}
