import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import SqliteDatabase from 'better-sqlite3'

/** Name of the lock file in the folder. */
export const LOCK_FILE = 'em-uso'

interface Lock {
  release(): void
}

/** Keeps references, because the garbage collector would close the locks. */
const held = new Set<SqliteDatabase.Database>()

/**
 * Locks `folder` (created with 0700 if missing) for this process; null: another process holds the lock. The operating
 * system releases the lock when the process ends for any reason. Unlike a pid file, two concurrent starts cannot both
 * succeed. On a full disk no lock is created and the start continues, so that stored data stays readable.
 */
export function lockFolder(folder: string): Lock | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return lockFile(join(folder, LOCK_FILE))
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return null
    if (isDiskFailure(error)) return { release: () => {} }
    throw error
  }
}

function lockFile(file: string): Lock {
  const lock = new SqliteDatabase(file, { timeout: 0 })
  try {
    chmodSync(file, 0o600)
    // Nothing is written; only SQLite's lock on the empty file is needed.
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw error
  }
  held.add(lock)
  return {
    release() {
      held.delete(lock)
      lock.close()
    },
  }
}
