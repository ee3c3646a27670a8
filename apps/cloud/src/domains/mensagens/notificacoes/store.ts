import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import type { CanalRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export type CanalChanges = Updateable<Tables['canais_notificacao']>

export const findCanal = (db: Database, id: number): Promise<CanalRow | undefined> =>
  db.selectFrom('canais_notificacao').selectAll().where('id', '=', id).executeTakeFirst()

/** Ordered by id. @param empresaIds null: all Empresas. */
export const listCanais = (db: Database, empresaIds: readonly number[] | null): Promise<CanalRow[]> =>
  db
    .selectFrom('canais_notificacao')
    .selectAll()
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .orderBy('id')
    .execute()

/** Those of these Empresas that have an active canal with `politica` `avisar`. */
export async function empresasThatWarn(db: Database, empresaIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (empresaIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('canais_notificacao')
    .select('empresa_id')
    .distinct()
    .where('empresa_id', 'in', empresaIds)
    .where('politica', '=', 'avisar')
    .where('ativo', '=', 1)
    .execute()
  return new Set(rows.map(({ empresa_id }) => empresa_id))
}

/**
 * Keeps these cameras from being removed until the transaction ends, as a foreign key does. Call it before a lock of
 * the canal: a removal locks the camera before its canais.
 */
export async function lockCameras(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0 || !isPostgres(tx)) return
  await tx.selectFrom('cameras').select('id').where('id', 'in', ids).orderBy('id').forKeyShare().execute()
}

export const insertCanal = (db: Database, values: Insertable<Tables['canais_notificacao']>): Promise<CanalRow> =>
  db.insertInto('canais_notificacao').values(values).returningAll().executeTakeFirstOrThrow()

export const updateCanal = (db: Database, id: number, changes: CanalChanges): Promise<CanalRow> =>
  db.updateTable('canais_notificacao').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteCanal = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('canais_notificacao').where('id', '=', id).execute()
}
