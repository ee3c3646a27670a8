import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

export type CameraRow = Selectable<Tables['cameras']>
export type NewCamera = Insertable<Tables['cameras']>
export type CameraChanges = Updateable<Tables['cameras']>

/** A camera with what its status needs to know of its edge. */
export type CameraWithEdge = CameraRow & { edge_presente: 0 | 1 | null; edge_ativado_em: number | null }

const withEdge = (db: Database) =>
  db
    .selectFrom('cameras')
    .leftJoin('edges', 'edges.id', 'cameras.edge_id')
    .selectAll('cameras')
    .select(['edges.presente as edge_presente', 'edges.ativado_em as edge_ativado_em'])

export const findCamera = (db: Database, id: number): Promise<CameraWithEdge | undefined> =>
  withEdge(db).where('cameras.id', '=', id).executeTakeFirst()

/** In order of id. @param empresaIds null: of every Empresa. */
export const listCameras = (db: Database, empresaIds: readonly number[] | null): Promise<CameraWithEdge[]> =>
  withEdge(db)
    .$if(empresaIds !== null, (qb) => qb.where('cameras.empresa_id', 'in', empresaIds ?? []))
    .orderBy('cameras.id')
    .execute()

/** @param empresaIds null: of every Empresa. */
export async function countActiveCameras(db: Database, empresaIds: readonly number[] | null): Promise<number> {
  const { n } = await db
    .selectFrom('cameras')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('ativa', '=', 1)
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Cameras of one Empresa, switched off or not: what counts against its quota. */
export async function countCameras(db: Database, empresaId: number): Promise<number> {
  const { n } = await db
    .selectFrom('cameras')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('empresa_id', '=', empresaId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const insertCamera = async (db: Database, values: NewCamera): Promise<number> =>
  (await db.insertInto('cameras').values(values).returning('id').executeTakeFirstOrThrow()).id

export const updateCamera = async (db: Database, id: number, changes: CameraChanges): Promise<void> => {
  await db.updateTable('cameras').set(changes).where('id', '=', id).execute()
}

export const deleteCamera = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('cameras').where('id', '=', id).execute()
}

/** Makes the desired state of an edge newer; in the transaction of the change that the edge has to learn. */
export const raiseDesiredVersion = async (db: Database, edgeId: number): Promise<void> => {
  await db
    .updateTable('edges')
    .set((eb) => ({ desejado_versao: eb('desejado_versao', '+', 1) }))
    .where('id', '=', edgeId)
    .execute()
}

export const findEdgeOwner = (db: Database, edgeId: number) =>
  db.selectFrom('edges').select(['id', 'empresa_id', 'local']).where('id', '=', edgeId).executeTakeFirst()

/** The Empresa's edge with the fewest cameras; without one of its own, the local edge of the installation. */
export const leastLoadedEdge = (db: Database, empresaId: number) =>
  db
    .selectFrom('edges')
    .select('edges.id')
    .where((eb) => eb.or([eb('edges.empresa_id', '=', empresaId), eb('edges.local', '=', 1)]))
    .orderBy('edges.local')
    .orderBy((eb) =>
      eb
        .selectFrom('cameras')
        .whereRef('cameras.edge_id', '=', 'edges.id')
        .select(({ fn }) => fn.countAll<number>().as('n')),
    )
    .orderBy('edges.id')
    .limit(1)
    .executeTakeFirst()

/** Some sealed URL, to see with which key this database was written. */
export const anySealedUrl = (db: Database) =>
  db.selectFrom('cameras').select('rtsp_url_cifrada').orderBy('id', 'desc').limit(1).executeTakeFirst()
