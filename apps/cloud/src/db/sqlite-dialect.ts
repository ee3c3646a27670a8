import type { Database as Sqlite } from 'better-sqlite3'
import { type DatabaseConnection, SqliteDialect, SqliteDriver } from 'kysely'

/**
 * After SQLITE_FULL, SQLITE_IOERR and some other errors SQLite has already rolled back the transaction. A second
 * `rollback` fails ("no transaction is active"), and Kysely would throw that error instead of the cause.
 */
class RollingBackOnce extends SqliteDriver {
  readonly #sqlite: Sqlite
  constructor(sqlite: Sqlite) {
    super({ database: sqlite })
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
