import type { Database as Sqlite, Statement } from 'better-sqlite3'
import { type DatabaseConnection, SqliteDialect, SqliteDriver } from 'kysely'

/** Most statements that stay prepared, the last used ones. */
const MOST_PREPARED = 500
/** Statements with the rows of a large batch are rarely repeated. */
const MOST_CHARS = 4_000

/**
 * Returns `prepare` of a connection, with a cache: preparing takes longer than most of the statements. After a change
 * of the schema SQLite prepares a statement again by itself.
 */
function cachedPrepare(sqlite: Sqlite): (sql: string) => Statement {
  const prepared = new Map<string, Statement>()
  return (sql) => {
    const statement = prepared.get(sql) ?? sqlite.prepare(sql)
    // A Map keeps its order of insertion: the first key is the one that was not used for the longest time.
    prepared.delete(sql)
    if (sql.length <= MOST_CHARS) prepared.set(sql, statement)
    const [oldest] = prepared.size > MOST_PREPARED ? prepared.keys() : []
    if (oldest !== undefined) prepared.delete(oldest)
    return statement
  }
}

/**
 * After SQLITE_FULL, SQLITE_IOERR and some other errors SQLite has already rolled back the transaction. A second
 * `rollback` fails ("no transaction is active"), and Kysely would throw that error instead of the cause.
 */
class RollingBackOnce extends SqliteDriver {
  readonly #sqlite: Sqlite
  constructor(sqlite: Sqlite) {
    super({ database: { prepare: cachedPrepare(sqlite), close: () => void sqlite.close() } })
    this.#sqlite = sqlite
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection)
  }
}

export class CloudSqliteDialect extends SqliteDialect {
  readonly #sqlite: Sqlite
  constructor(sqlite: Sqlite) {
    super({ database: sqlite })
    this.#sqlite = sqlite
  }

  override createDriver(): SqliteDriver {
    return new RollingBackOnce(this.#sqlite)
  }
}
