import type { Insertable, Updateable } from 'kysely'
import type { GravadorWithCount } from '../../../db/gravadores.ts'
import { withCameraCount } from '../../../db/gravadores.ts'
import type { Database } from '../../../db/open.ts'
import type { GravadorRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export type NewGravador = Insertable<Tables['gravadores']>
export type GravadorChanges = Updateable<Tables['gravadores']>
/** Ordered by id. @param empresaIds null: all Empresas. */
export const listGravadores = (
  db: Database,
  empresaIds: readonly number[] | null,
  after: number | null,
  limit: number,
): Promise<GravadorWithCount[]> =>
  withCameraCount(db)
    .$if(empresaIds !== null, (qb) => qb.where('gravadores.empresa_id', 'in', empresaIds ?? []))
    .$if(after !== null, (qb) => qb.where('gravadores.id', '>', after))
    .orderBy('gravadores.id')
    .limit(limit)
    .execute()

/** @param empresaIds null: all Empresas. */
export async function countGravadores(db: Database, empresaIds: readonly number[] | null): Promise<number> {
  const { n } = await db
    .selectFrom('gravadores')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const insertGravador = async (db: Database, values: NewGravador): Promise<number> =>
  (await db.insertInto('gravadores').values(values).returning('id').executeTakeFirstOrThrow()).id

/** Returns the updated row. */
export const updateGravador = (db: Database, id: number, changes: GravadorChanges): Promise<GravadorRow> =>
  db.updateTable('gravadores').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteGravador = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('gravadores').where('id', '=', id).execute()
}

/** The Empresa's cameras with the columns that identify their streams. */
export const listStreams = (db: Database, empresaId: number) =>
  db
    .selectFrom('cameras')
    .select(['id', 'nome', 'gravador_id', 'canal', 'rtsp_url'])
    .where('empresa_id', '=', empresaId)
    .orderBy('id')
    .execute()
