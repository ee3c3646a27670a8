import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createBallast } from '@vigia/runtime/ballast'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { type LongStep, unwatchedStep } from '@vigia/runtime/heartbeat'
import SqliteDatabase from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { CloudSqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

export interface OpenOptions {
  readonly step?: LongStep
  /** Called after each query, including failed ones. */
  readonly onQuery?: () => void
  /** Called with the error of each failed query. */
  readonly onError?: (error: unknown) => void
}

/**
 * Opens (or creates, 0600) the SQLite file and migrates it to the newest schema. Kysely serializes transactions on the
 * one connection, so that reads of a transaction still hold when it writes. On a full disk the start releases the
 * ballast file, so that the installation can answer reads.
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  try {
    return await open(file, options)
  } catch (error) {
    if (unwritableDisk(error) !== 'cheio' || !createBallast(file).drop()) throw error
    return await open(file, options)
  }
}

async function open(file: string, { step = unwatchedStep, onQuery, onError }: OpenOptions): Promise<Database> {
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
      log: (event) => {
        onQuery?.()
        if (event.level === 'error') onError?.(event.error)
      },
    })
    await migrate(db, undefined, step)
    // Truncates the log that a killed process left.
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}
