import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'

/**
 * Time at which the edge last saw the person alerted on by `invasao`, from its stored state; null: nobody. Reads a copy
 * of the database, because the edge holds an exclusive lock. Throws if the edge writes during the copy.
 */
export function alertedPersonSeenAt(edgeDir: string, cameraId: number): number | null {
  const dir = temporaryFolder('vigia-edge-copy-')
  try {
    for (const name of ['edge.db', 'edge.db-wal'])
      if (existsSync(join(edgeDir, name))) copyFileSync(join(edgeDir, name), join(dir, name))
    const db = new SqliteDatabase(join(dir, 'edge.db'))
    try {
      const row = db
        .prepare("SELECT state FROM analysis_states WHERE camera_id = ? AND ia = 'invasao'")
        .get(cameraId) as { state: string } | undefined
      const { alerted = [] } = JSON.parse(row?.state ?? '{}') as { alerted?: readonly { seenAt: number }[] }
      return alerted.length === 0 ? null : Math.max(...alerted.map(({ seenAt }) => seenAt))
    } finally {
      db.close()
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}
