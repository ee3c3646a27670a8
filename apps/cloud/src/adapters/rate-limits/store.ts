import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'

/** The file of the counters, which every process on the same data folder shares. */
export interface CounterStore {
  /** For rate-limiter-flexible (store type `better-sqlite3`). */
  readonly client: unknown
  readonly table: string
  /** Removes windows that have ended. @param now epoch ms */
  prune(now: number): void
  close(): void
}

const TABLE = 'limites'

/**
 * Opens (and creates, 0600) the SQLite file of the counters. It is a file of its own: a second connection to the main
 * database would stand still, and this process with it, whenever the first has a transaction open. A file that is no
 * database is replaced: what it counted is worth less than a service that starts.
 * @throws Error when the file cannot be opened (no space, no permission).
 */
export function openCounterStore(file: string): CounterStore {
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
  const db = new SqliteDatabase(file)
  try {
    chmodSync(file, 0o600)
    // Another process holds the lock for one statement; who waits longer than this counts in memory.
    db.pragma('busy_timeout = 250')
    db.pragma('journal_mode = WAL')
    // The last counts may be lost with the power, which nobody outside can switch off.
    db.pragma('synchronous = NORMAL')
    db.exec(`
      create table if not exists ${TABLE} (key text primary key, points integer not null, expire integer) without rowid;
      create index if not exists ${TABLE}_expire on ${TABLE} (expire);
    `)
    const prune = db.prepare<[number]>(`delete from ${TABLE} where expire <= ?`)
    return {
      client: db,
      table: TABLE,
      prune: (now) => {
        prune.run(now)
      },
      close: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}
