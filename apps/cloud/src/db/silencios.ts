import type { Silencio } from '@vigia/contracts/cameras'
import { iasQueRompemSilencio } from '@vigia/ias/catalogue'
import type { Selectable } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

export type SilencioRow = Selectable<Tables['silencios']>

/** Cameras that are silenced at `now`. */
export async function silencedCameras(
  db: Database,
  cameraIds: readonly number[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (cameraIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('silencios')
    .select('camera_id')
    .where('camera_id', 'in', cameraIds)
    .where('ate', '>', now)
    .execute()
  return new Set(rows.map(({ camera_id }) => camera_id))
}

/** undefined: the camera was never silenced. The row may have ended. */
export const findSilencio = (db: Database, cameraId: number): Promise<SilencioRow | undefined> =>
  db.selectFrom('silencios').selectAll().where('camera_id', '=', cameraId).executeTakeFirst()

export const saveSilencio = async (db: Database, { camera_id, ...silencio }: SilencioRow): Promise<void> => {
  await db
    .insertInto('silencios')
    .values({ camera_id, ...silencio })
    .onConflict((conflict) => conflict.column('camera_id').doUpdateSet(silencio))
    .execute()
}

/** Events that a silence never mutes. */
export const breaksSilence = ({ tipo, gravidade }: { readonly tipo: string; readonly gravidade: string }): boolean =>
  gravidade === 'critica' || iasQueRompemSilencio.includes(tipo)

/** null: not silenced at `now`. */
export const viewSilencio = (row: Pick<SilencioRow, 'ate' | 'por_username'> | null, now: number): Silencio | null =>
  row === null || row.ate <= now ? null : { ate: new Date(row.ate).toISOString(), por: row.por_username }
