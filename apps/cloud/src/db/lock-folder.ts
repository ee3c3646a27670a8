import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import SqliteDatabase from 'better-sqlite3'

/** The file that holds the lock, below the folder. */
export const LOCK_FILE = 'em-uso'

interface Lock {
  release(): void
}

/** A lock without a reference would be closed by the garbage collector. */
const held = new Set<SqliteDatabase.Database>()

/**
 * Locks `folder` (made when it is not there, 0700) for this process; null: another process holds it. The system releases the
 * lock of a process that ends, however it ends: two that start at once cannot both have it, as with a socket or a process id.
 * A disk that takes not even the empty file has no lock: the start goes on, so that what is stored can still be read.
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
    // Nothing is ever written: SQLite's own lock on the empty file is what is wanted.
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
