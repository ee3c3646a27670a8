/** Error codes of SQLite and the system that concern the disk and not the written data. */
const OF_THE_DISK = /^(SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|NOMEM|PROTOCOL)|(ENOSPC|EDQUOT|EROFS|EIO)$)/

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Whether the disk caused the failure (full, read-only, busy, failing), so that a retry may succeed. */
export const isDiskFailure = (error: unknown): boolean => OF_THE_DISK.test(codeOf(error))

/** Whether the disk or a quota is full. */
export const isDiskFull = (error: unknown): boolean => /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(codeOf(error))

/**
 * Reason why a disk rejects writes. SQLite reports an exhausted quota (EDQUOT) as `SQLITE_IOERR_WRITE`, and a
 * write-ahead index that cannot grow as `SQLITE_IOERR_SHMSIZE`.
 */
export type UnwritableDisk = 'cheio' | 'somente_leitura'

/** Follows `cause` up to five levels; null: the failure has another cause. */
export function unwritableDisk(error: unknown): UnwritableDisk | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const code = codeOf(at)
    if (isDiskFull(at) || /^SQLITE_IOERR_(WRITE|SHMSIZE)$/.test(code)) return 'cheio'
    if (/^(SQLITE_READONLY|EROFS)/.test(code)) return 'somente_leitura'
  }
  return null
}
