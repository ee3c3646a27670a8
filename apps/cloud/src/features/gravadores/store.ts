import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

export type RecorderRow = Selectable<Tables['gravadores']>
export type NewRecorder = Insertable<Tables['gravadores']>
export type RecorderChanges = Updateable<Tables['gravadores']>
/** A recorder with the number of cameras on its channels. */
export type RecorderWithCount = RecorderRow & { cameras: number }

const withCameraCount = (db: Database) =>
  db
    .selectFrom('gravadores')
    .selectAll('gravadores')
    .select((eb) =>
      eb
        .selectFrom('cameras')
        .whereRef('cameras.gravador_id', '=', 'gravadores.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('cameras'),
    )

export const findRecorder = (db: Database, id: number): Promise<RecorderWithCount | undefined> =>
  withCameraCount(db).where('gravadores.id', '=', id).executeTakeFirst()

/** @param host in the spelling of `canonicalHost` */
export const findRecorderAt = (
  db: Database,
  empresaId: number,
  host: string,
  porta: number,
): Promise<RecorderWithCount | undefined> =>
  withCameraCount(db)
    .where('gravadores.empresa_id', '=', empresaId)
    .where('gravadores.host', '=', host)
    .where('gravadores.porta', '=', porta)
    .executeTakeFirst()

/** In order of id. @param empresaIds null: of every Empresa. */
export const listRecorders = (db: Database, empresaIds: readonly number[] | null): Promise<RecorderWithCount[]> =>
  withCameraCount(db)
    .$if(empresaIds !== null, (qb) => qb.where('gravadores.empresa_id', 'in', empresaIds ?? []))
    .orderBy('gravadores.id')
    .execute()

/** Recorders that name this edge as theirs, in order of id. */
export const listRecordersOfEdge = (db: Database, edgeId: number): Promise<RecorderRow[]> =>
  db.selectFrom('gravadores').selectAll().where('edge_id', '=', edgeId).orderBy('id').execute()

export const insertRecorder = async (db: Database, values: NewRecorder): Promise<number> =>
  (await db.insertInto('gravadores').values(values).returning('id').executeTakeFirstOrThrow()).id

/** Returns the row as it is then. */
export const updateRecorder = (db: Database, id: number, changes: RecorderChanges): Promise<RecorderRow> =>
  db.updateTable('gravadores').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteRecorder = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('gravadores').where('id', '=', id).execute()
}
