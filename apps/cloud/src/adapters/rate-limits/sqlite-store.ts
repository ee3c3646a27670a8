import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { RateLimiterSQLite } from 'rate-limiter-flexible'
import type { CounterStore } from './store.ts'

const TABLE = 'limites'
/** Longest wait for the lock while the file is opened, ms. */
const OPEN_MS = 5_000

/**
 * Opens the SQLite file of the counters, or creates it with mode 0600. A separate file, because a second synchronous
 * connection to the main database would block the process during transactions of the first. A damaged file is replaced:
 * a running service is more important than the counts.
 * @throws Error when the file cannot be opened (no space, no permission)
 */
export function openSqliteStore(file: string): CounterStore {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    return open(file)
  } catch (error) {
    if (!isDamaged(error)) throw error
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    return open(file)
  }
}

const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'SQLITE_NOTADB' || error.code === 'SQLITE_CORRUPT')

function open(file: string): CounterStore {
  // Processes that start together create the file one after the other.
  const db = new SqliteDatabase(file, { timeout: OPEN_MS })
  try {
    chmodSync(file, 0o600)
    db.pragma('journal_mode = WAL')
    // A power cut may lose the last counts, but an attacker cannot cause it.
    db.pragma('synchronous = NORMAL')
    db.exec(`
      create table if not exists ${TABLE} (key text primary key, points integer not null, expire integer) without rowid;
      create index if not exists ${TABLE}_expire on ${TABLE} (expire);
    `)
    // Another process holds the lock for one statement only. After this time the count goes to memory.
    db.pragma('busy_timeout = 250')
    const prune = db.prepare<[number]>(`delete from ${TABLE} where expire <= ?`)
    return {
      limiter: (options) =>
        new RateLimiterSQLite({
          ...options,
          storeClient: db,
          storeType: 'better-sqlite3',
          tableName: TABLE,
          tableCreated: true,
        }),
      prune: (now) => {
        prune.run(now)
      },
      close: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}
