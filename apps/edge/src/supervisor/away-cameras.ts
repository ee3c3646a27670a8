import type { Logger } from 'pino'
import type { EdgeDb } from '../db/edge-db.ts'

/** The PTZ cameras that are not at their home position. Survives a restart. */
export interface AwayCameras {
  has(cameraId: number): boolean
  set(cameraId: number, isAway: boolean): void
}

/** @param onChange called after each change */
export function createAwayCameras(db: EdgeDb, { log, onChange }: { log: Logger; onChange(): void }): AwayCameras {
  const away = new Set(db.prepare<[], number>('SELECT camera_id FROM cameras_away').pluck().all())
  const insert = db.prepare('INSERT OR IGNORE INTO cameras_away (camera_id) VALUES (?)')
  const remove = db.prepare('DELETE FROM cameras_away WHERE camera_id = ?')
  return {
    has: (cameraId) => away.has(cameraId),
    set(cameraId, isAway) {
      if (away.has(cameraId) === isAway) return
      if (isAway) away.add(cameraId)
      else away.delete(cameraId)
      try {
        ;(isAway ? insert : remove).run(cameraId)
      } catch (err) {
        // Until the next restart the memory is right.
        log.error({ err, camera: cameraId }, 'position of a camera not written to the disk')
      }
      onChange()
    },
  }
}
