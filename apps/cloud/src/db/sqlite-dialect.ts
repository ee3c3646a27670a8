import type { Database as Sqlite } from 'better-sqlite3'
import { type DatabaseConnection, SqliteDialect, SqliteDriver } from 'kysely'

/**
 * After SQLITE_FULL, SQLITE_IOERR and a few others SQLite itself has already rolled the transaction back. A second `rollback` fails
 * ("no transaction is active"), and Kysely then throws that error in place of the cause.
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
