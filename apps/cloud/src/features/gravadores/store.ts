import type { Insertable, Updateable } from 'kysely'
import type { RecorderWithCount } from '../../db/gravadores.ts'
import { withCameraCount } from '../../db/gravadores.ts'
import type { Database } from '../../db/open.ts'
import type { GravadorRow } from '../../db/rows.ts'
import type { Tables } from '../../db/tables.ts'

export type NewRecorder = Insertable<Tables['gravadores']>
export type RecorderChanges = Updateable<Tables['gravadores']>
/** In order of id. @param empresaIds null: of every Empresa. */
export const listRecorders = (db: Database, empresaIds: readonly number[] | null): Promise<RecorderWithCount[]> =>
  withCameraCount(db)
    .$if(empresaIds !== null, (qb) => qb.where('gravadores.empresa_id', 'in', empresaIds ?? []))
    .orderBy('gravadores.id')
    .execute()

export const insertRecorder = async (db: Database, values: NewRecorder): Promise<number> =>
  (await db.insertInto('gravadores').values(values).returning('id').executeTakeFirstOrThrow()).id

/** Returns the row as it is then. */
export const updateRecorder = (db: Database, id: number, changes: RecorderChanges): Promise<GravadorRow> =>
  db.updateTable('gravadores').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteRecorder = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('gravadores').where('id', '=', id).execute()
}

/** The Empresa's cameras, with what tells which stream each one shows. */
export const listStreams = (db: Database, empresaId: number) =>
  db
    .selectFrom('cameras')
    .select(['id', 'nome', 'gravador_id', 'canal', 'rtsp_url'])
    .where('empresa_id', '=', empresaId)
    .orderBy('id')
    .execute()
