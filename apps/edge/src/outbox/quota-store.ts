import type { EdgeDb } from '../db/edge-db.ts'
import { createCheapRecords, MOST_MEDIA } from './cheap-records-store.ts'
import { createClipNotes } from './clip-note-store.ts'
import { createExtras } from './extra-store.ts'
import { createFilePages } from './file-pages-store.ts'

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

/** Extras and notes are small. */
const EXTRAS_AT_ONCE = 64
/** Limits of one call: when others fill the disk, a large outbox shrinks over several short calls. */
const MOST_EXTRAS = 4096
const MOST_CLIPS = 256
const MOST_NOTES = 1024
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
  const deleteExtras = db.prepare(
    `DELETE FROM extras WHERE position IN (SELECT position FROM extras
       WHERE kind IN ('evidencia', 'descartado') ORDER BY position LIMIT ?)`,
  )
  const stripClips = db.prepare(
    `UPDATE extras SET bytes = x'', header = json_set(header, '$.imagem', json('null'))
     WHERE position IN (SELECT position FROM extras
       WHERE kind = 'clipe' AND length(bytes) > 0 ORDER BY position LIMIT ?)`,
  )
  const pages = createFilePages(db)
  const { usedBytes } = pages
  const clipNotes = createClipNotes(db, createExtras(db))
  const cheapRecords = createCheapRecords(db, { clipNotes, usedBytes })
  /** The configuration lies in the same file, and must not use up the minimum of the outbox. */
  const desiredBytes = db.prepare<[], number>('SELECT coalesce(sum(octet_length(document)), 0) FROM desired').pluck()

  function limitBytes(): number {
    const free = quota.freeBytes()
    if (free === null) return quota.maxBytes
    // The write-ahead log is not counted as the outbox's: the limit errs in favour of the other data.
    const leftToUs = pages.fileBytes() + free - quota.reserveBytes
    return Math.min(quota.maxBytes, Math.max(FLOOR_BYTES + (desiredBytes.get() ?? 0), leftToUs))
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
      dropped.media = cheapRecords.dropMedia(limit, busy)
      if (dropped.media >= MOST_MEDIA) return dropped
      dropped.notes = listNotes(limit)
      if (dropped.notes >= MOST_NOTES || usedBytes() <= limit) return dropped
      // Gap records need only a few hundred bytes per camera: when only they remain, nothing is dropped.
      const { records, clips } = cheapRecords.dropRecords(limit, busy)
      return { ...dropped, records, clips: [...dropped.clips, ...clips] }
    },
    giveBack: () => pages.giveBack(isShort),
    usedBytes: pages.usedBytes,
  }
}
