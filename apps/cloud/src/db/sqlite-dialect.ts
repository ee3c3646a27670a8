import { setTimeout as delay } from 'node:timers/promises'
import type { Database as Sqlite, Statement } from 'better-sqlite3'
import {
  CompiledQuery as Compiled,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'
import { createThreadShare } from './thread-share.ts'

/** Maximum number of statements that stay prepared, the last used ones. */
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

/** Longest wait for the write lock of another process, for example of a command `vigia`. */
const BUSY_MS = 5_000
const BUSY_RETRY_MS = 20

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/**
 * Statements of better-sqlite3 block the thread. Many short ones in a row let other requests pass, and a statement that
 * meets the write lock of another process waits without the thread.
 */
class SharingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #sqlite: Sqlite
  readonly #share = createThreadShare()
  constructor(connection: DatabaseConnection, sqlite: Sqlite) {
    this.#connection = connection
    this.#sqlite = sqlite
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const deadline = performance.now() + BUSY_MS
    for (;;) {
      await this.#share.pause()
      try {
        return await this.#connection.executeQuery<R>(query)
      } catch (error) {
        // A transaction holds the lock from its begin on. The failed statement has changed nothing.
        if (!isBusy(error) || this.#sqlite.inTransaction || performance.now() > deadline) throw error
        await delay(BUSY_RETRY_MS)
      }
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize)
  }
}

class CloudSqliteDriver extends SqliteDriver {
  readonly #sqlite: Sqlite
  #connection: DatabaseConnection | null = null
  constructor(sqlite: Sqlite) {
    super({ database: { prepare: cachedPrepare(sqlite), close: () => void sqlite.close() } })
    this.#sqlite = sqlite
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new SharingConnection(await super.acquireConnection(), this.#sqlite)
    return this.#connection
  }

  /** Takes the write lock at once: a transaction that reads first would fail if another process writes meanwhile. */
  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: { readonly accessMode?: string } = {},
  ): Promise<void> {
    await connection.executeQuery(Compiled.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'))
  }

  /**
   * After SQLITE_FULL, SQLITE_IOERR and some other errors SQLite has already rolled back the transaction. A second
   * `rollback` fails ("no transaction is active"), and Kysely would throw that error instead of the cause.
   */
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
    return new CloudSqliteDriver(this.#sqlite)
  }
}
