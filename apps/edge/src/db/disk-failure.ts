/** SQLite's result codes and the system's, as far as they speak of the disk and not of what was to be written. */
const OF_THE_DISK = /^(SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|NOMEM|PROTOCOL)|(ENOSPC|EDQUOT|EROFS|EIO)$)/

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Whether the failure is of the disk (full, read-only, busy, failing) and may pass: the same will succeed later. */
export const isDiskFailure = (error: unknown): boolean => OF_THE_DISK.test(codeOf(error))

/** Whether there is no room left. */
export const isDiskFull = (error: unknown): boolean => /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(codeOf(error))
