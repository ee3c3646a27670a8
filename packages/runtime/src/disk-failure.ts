/** SQLite's result codes and the system's, as far as they speak of the disk and not of what was to be written. */
const OF_THE_DISK = /^(SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|NOMEM|PROTOCOL)|(ENOSPC|EDQUOT|EROFS|EIO)$)/

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Whether the failure is of the disk (full, read-only, busy, failing) and may pass: the same will succeed later. */
export const isDiskFailure = (error: unknown): boolean => OF_THE_DISK.test(codeOf(error))

/** Whether there is no room left. */
export const isDiskFull = (error: unknown): boolean => /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(codeOf(error))

/**
 * Why nothing can be written. SQLite reports a used-up quota (EDQUOT) as `SQLITE_IOERR_WRITE`, and a write-ahead index that cannot
 * grow as `SQLITE_IOERR_SHMSIZE`.
 */
export type UnwritableDisk = 'cheio' | 'somente_leitura'

/** Null: another failure. Errors that wrap it (`cause`) count as well. */
export function unwritableDisk(error: unknown): UnwritableDisk | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const code = codeOf(at)
    if (isDiskFull(at) || /^SQLITE_IOERR_(WRITE|SHMSIZE)$/.test(code)) return 'cheio'
    if (/^(SQLITE_READONLY|EROFS)/.test(code)) return 'somente_leitura'
  }
  return null
}
