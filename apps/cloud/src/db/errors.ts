/** Whether `error` is a violation of a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** The data directory is not usable; the message is Portuguese advice for the operator. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** Whether `error` reports that a file is not a database or is damaged. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}
