import { createBallast } from '@vigia/runtime/ballast'
import { isDiskFull } from '@vigia/runtime/disk-failure'
import type { EdgeDb } from '../db/edge-db.ts'
import { createQuota, type Dropped, isAnyDropped, type QuotaOptions } from './quota-store.ts'

/** Changes of the outbox within its quota, also on a full disk. */
export interface OutboxSpace {
  /** Drops the least valuable content until the quota holds. Runs inside the caller's transaction. */
  enforce(): Dropped
  /** Runs a transaction that adds records and applies the quota; returns their numbers. */
  adding(change: () => { readonly seqs: readonly number[]; readonly dropped: Dropped }): readonly number[]
  /** Runs a transaction that removes content, which must be possible on a full disk too. */
  freeing<T>(change: () => T): T
  /** Runs such a transaction, and returns space to the disk. */
  removing<T>(change: () => T): T
  /** Reports dropped content after its transaction. */
  reportDropped(dropped: Dropped): void
  /** Applies the quota and holds the spare space for a full disk. */
  keep(): void
  usedBytes(): number
}

export interface OutboxSpaceOptions extends QuotaOptions {
  onDropped?(dropped: Dropped): void
}

export function createOutboxSpace(db: EdgeDb, options: OutboxSpaceOptions): OutboxSpace {
  const quota = createQuota(db, options)
  const ballast = createBallast(db.name)
  const enforce = db.transaction(() => quota.enforce())

  const reportDropped = (dropped: Dropped) => {
    if (isAnyDropped(dropped)) options.onDropped?.(dropped)
  }

  function freeing<T>(change: () => T): T {
    try {
      return change()
    } catch (error) {
      if (!isDiskFull(error) || !ballast.drop()) throw error
      db.pragma('wal_checkpoint(TRUNCATE)')
      return change()
    }
  }

  function applyQuota() {
    reportDropped(freeing(() => enforce.immediate()))
    quota.giveBack()
  }

  return {
    enforce: quota.enforce,
    /** On a full disk the quota of free space may still drop content, so that the second attempt succeeds. */
    adding(change) {
      const attempt = () => {
        try {
          return change()
        } catch (error) {
          if (!isDiskFull(error)) throw error
          applyQuota()
          return change()
        }
      }
      const { seqs, dropped } = attempt()
      reportDropped(dropped)
      quota.giveBack()
      return seqs
    },
    freeing,
    removing(change) {
      const result = freeing(change)
      quota.giveBack()
      return result
    },
    reportDropped,
    keep() {
      applyQuota()
      ballast.hold(options.quota.freeBytes())
    },
    usedBytes: quota.usedBytes,
  }
}
