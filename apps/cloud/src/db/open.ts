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
  /** Called after each query, also after one that failed. */
  readonly onQuery?: () => void
  /** Called with every failure of a query. */
  readonly onError?: (error: unknown) => void
}

/**
 * Opens (and creates, 0600) the SQLite file and brings it to the newest schema. One connection: Kysely serialises
 * transactions on it, so what a transaction has read is still true when it writes. On a full disk the ballast beside the file is
 * released, so that an installation starts and answers reads.
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
    // An event is acknowledged to the edge once it is committed: a commit has to survive a power cut.
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('foreign_keys = ON')
    // A password that was changed does not stay behind in the unused parts of a page.
    sqlite.pragma('secure_delete = ON')
    // A sort of a read must not need a temporary file on a full disk.
    sqlite.pragma('temp_store = MEMORY')
    const db = new Kysely<Tables>({
      dialect: new CloudSqliteDialect(sqlite),
      log: (event) => {
        onQuery?.()
        if (event.level === 'error') onError?.(event.error)
      },
    })
    await migrate(db, undefined, step)
    // Gives the space of a log that a killed process left back to the disk.
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}
