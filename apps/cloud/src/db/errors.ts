/** Whether `error` is a violation of a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return UNIQUE_VIOLATIONS.has(String(error.code))
}

/** Codes of SQLite and of PostgreSQL (`unique_violation`). */
const UNIQUE_VIOLATIONS = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])

/** The data directory is not usable; the message is Portuguese advice for the operator. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** Whether `error` reports that a file is not a database or is damaged. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}
