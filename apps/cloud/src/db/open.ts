import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type LongStep, unwatchedStep } from '@vigia/runtime/heartbeat'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

export interface OpenOptions {
  readonly step?: LongStep
  /** Called after each query, also after one that failed. */
  readonly onQuery?: () => void
}

/**
 * Opens (and creates, 0600) the SQLite file and brings it to the newest schema. One connection: Kysely serialises
 * transactions on it, so what a transaction has read is still true when it writes.
 */
export async function openDatabase(
  file: string,
  { step = unwatchedStep, onQuery }: OpenOptions = {},
): Promise<Database> {
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
    const db = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: sqlite }),
      ...(onQuery && { log: () => onQuery() }),
    })
    await migrate(db, undefined, step)
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}
