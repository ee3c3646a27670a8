import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

export type CanalRow = Selectable<Tables['canais_notificacao']>
export type CanalChanges = Updateable<Tables['canais_notificacao']>

export const findCanal = (db: Database, id: number): Promise<CanalRow | undefined> =>
  db.selectFrom('canais_notificacao').selectAll().where('id', '=', id).executeTakeFirst()

/** In order of id. @param empresaIds null: of every Empresa. */
export const listCanais = (db: Database, empresaIds: readonly number[] | null): Promise<CanalRow[]> =>
  db
    .selectFrom('canais_notificacao')
    .selectAll()
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .orderBy('id')
    .execute()

/** Channels that tell of one camera alone, in order of id: they go with it. */
export const listCanaisOfCamera = (db: Database, cameraId: number): Promise<CanalRow[]> =>
  db.selectFrom('canais_notificacao').selectAll().where('camera_id', '=', cameraId).orderBy('id').execute()

export const insertCanal = (db: Database, values: Insertable<Tables['canais_notificacao']>): Promise<CanalRow> =>
  db.insertInto('canais_notificacao').values(values).returningAll().executeTakeFirstOrThrow()

export const updateCanal = (db: Database, id: number, changes: CanalChanges): Promise<CanalRow> =>
  db.updateTable('canais_notificacao').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteCanal = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('canais_notificacao').where('id', '=', id).execute()
}
