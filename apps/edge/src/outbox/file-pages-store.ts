import { statSync } from 'node:fs'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { EdgeDb } from '../db/edge-db.ts'

/** The pages of the file of the outbox. */
export interface FilePages {
  /** Bytes in use. */
  usedBytes(): number
  /** Size of the file. */
  fileBytes(): number
  /**
   * Returns pages to the file system when many are free or the disk is short of space (`isShort`). Outside any
   * transaction.
   */
  giveBack(isShort: () => boolean): void
}

/** Free pages (4 KiB) kept for the next events; pages above are returned to the disk in steps. */
const SPARE_PAGES = 4096
const SPARE_PAGES_WHEN_SHORT = 64
const GIVE_BACK_PAGES = 1024

export function createFilePages(db: EdgeDb): FilePages {
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  const pages = db.prepare<[], { used: number; free: number }>(
    `SELECT page_count - freelist_count AS used, freelist_count AS free
     FROM pragma_page_count(), pragma_freelist_count()`,
  )
  const usedBytes = () => (pages.get()?.used ?? 0) * pageSize

  return {
    usedBytes,
    fileBytes: () => (db.memory ? usedBytes() : statSync(db.name).size),
    giveBack(isShort) {
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
  }
}
