/** True when `error` is the database's refusal of a second row with a unique value. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** The data directory cannot be used as it is; the message is the Portuguese sentence that says what to do. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** True when `error` is SQLite's finding that a file is no database, or a damaged one. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}
