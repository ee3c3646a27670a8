import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createBallast } from '@vigia/runtime/ballast'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import type { LongStep } from '@vigia/runtime/heartbeat'
import SqliteDatabase from 'better-sqlite3'
import { HandleEmptyInListsPlugin, Kysely, type LogEvent, replaceWithNoncontingentExpression } from 'kysely'
import { migrate, requireMigrated } from './migrate.ts'
import { poolShare, sharePool } from './pool-share.ts'
import { CloudPostgresDialect, CONNECT_MS, createPool, isPostgresUrl } from './postgres-dialect.ts'
import { explainPostgres } from './postgres-failures.ts'
import { CloudSqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

export interface OpenOptions {
  readonly step?: LongStep
  /** Called after each query, including failed ones, with its duration. */
  readonly onQuery?: (ms: number, failed: boolean) => void
  /** Called with the error of each failed query. */
  readonly onError?: (error: unknown) => void
  /** Size of the connection pool on PostgreSQL; default 10. */
  readonly maxConnections?: number
  /** Longest duration of one statement on PostgreSQL, except those of migrations; default: no limit. */
  readonly statementMs?: number
  /** Leaves the schema as it is, for a command beside a running service; missing migrations are refused. */
  readonly asIs?: boolean
}

const MAX_CONNECTIONS = 10

/**
 * Opens the database and migrates it to the newest schema. `place` is the URL of a PostgreSQL database, or the path of
 * a SQLite file, which is created with mode 0600 if it is missing. On a full disk the start releases the ballast file,
 * so that the installation can answer reads.
 */
export async function openDatabase(place: string, options: OpenOptions = {}): Promise<Database> {
  if (isPostgresUrl(place)) return openPostgres(place, options)
  try {
    return await openSqlite(place, options)
  } catch (error) {
    if (unwritableDisk(error) !== 'cheio' || !createBallast(place).drop()) throw error
    return await openSqlite(place, options)
  }
}

const reportQueries =
  ({ onQuery, onError }: OpenOptions) =>
  (event: LogEvent) => {
    onQuery?.(event.queryDurationMillis, event.level === 'error')
    if (event.level === 'error') onError?.(event.error)
  }

/** @throws DataError with the setting to correct */
async function openPostgres(url: string, options: OpenOptions): Promise<Database> {
  const { maxConnections = MAX_CONNECTIONS, statementMs } = options
  const onIdleError = (error: Error) => options.onError?.(error)
  const open = (dialect: CloudPostgresDialect) =>
    new Kysely<Tables>({ dialect, plugins: [emptyLists], log: reportQueries(options) })
  // A migration may rewrite a large table.
  const migrating = open(new CloudPostgresDialect(createPool({ url, maxConnections: 2, onIdleError })))
  try {
    await prepare(migrating, options)
  } catch (error) {
    throw explainPostgres(error, url)
  } finally {
    await migrating.destroy()
  }
  const pool = createPool({ url, maxConnections, statementMs, onIdleError })
  return open(new CloudPostgresDialect(sharePool(pool, poolShare(maxConnections), CONNECT_MS)))
}

const prepare = (db: Database, { asIs = false, step }: OpenOptions): Promise<void> =>
  asIs ? requireMigrated(db) : migrate(db, undefined, step)

/** `in ()` is false in SQLite and an error in PostgreSQL. */
export const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })

/**
 * Kysely serializes transactions on the one connection, so that reads of a transaction still hold when it writes.
 */
async function openSqlite(file: string, options: OpenOptions): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const sqlite = new SqliteDatabase(file)
  try {
    chmodSync(file, 0o600)
    sqlite.pragma('busy_timeout = 5000')
    sqlite.pragma('journal_mode = WAL')
    // A commit acknowledges events to the edge and must survive a power failure.
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('foreign_keys = ON')
    // Overwrites deleted content, so that old passwords do not remain in unused parts of a page.
    sqlite.pragma('secure_delete = ON')
    // Sorts must not need a temporary file on a full disk.
    sqlite.pragma('temp_store = MEMORY')
    const db = new Kysely<Tables>({
      dialect: new CloudSqliteDialect(sqlite),
      plugins: [emptyLists],
      log: reportQueries(options),
    })
    await prepare(db, options)
    // Truncates the log that a killed process left.
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    // From here on the dialect waits for a lock, because SQLite would wait with the thread.
    sqlite.pragma('busy_timeout = 0')
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}
