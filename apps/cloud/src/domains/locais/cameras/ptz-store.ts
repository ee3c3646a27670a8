import type { Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

export type PtzRow = Selectable<Tables['ptz']>

export const findPtz = (db: Database, cameraId: number): Promise<PtzRow | undefined> =>
  db.selectFrom('ptz').selectAll().where('camera_id', '=', cameraId).executeTakeFirst()

/** Gives the turn to a person. Call it in a transaction that has locked the camera. */
export const saveTurn = async (tx: Database, turn: Omit<PtzRow, 'fora'>): Promise<void> => {
  const { camera_id, ...changes } = turn
  await tx
    .insertInto('ptz')
    .values({ ...turn, fora: 0 })
    .onConflict((conflict) => conflict.column('camera_id').doUpdateSet(changes))
    .execute()
}

export const saveAway = async (db: Database, cameraId: number, isAway: boolean): Promise<void> => {
  await db
    .updateTable('ptz')
    .set({ fora: isAway ? 1 : 0 })
    .where('camera_id', '=', cameraId)
    .execute()
}
