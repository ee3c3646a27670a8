import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

export type CameraRow = Selectable<Tables['cameras']>
export type NewCamera = Insertable<Tables['cameras']>
export type CameraChanges = Updateable<Tables['cameras']>

/** A camera with what its status needs to know of its edge. */
export type CameraWithEdge = CameraRow & {
  edge_presente: 0 | 1 | null
  edge_ativado_em: number | null
  edge_grande_bytes: number | null
}

const withEdge = (db: Database) =>
  db
    .selectFrom('cameras')
    .leftJoin('edges', 'edges.id', 'cameras.edge_id')
    .selectAll('cameras')
    .select([
      'edges.presente as edge_presente',
      'edges.ativado_em as edge_ativado_em',
      'edges.desejado_grande_bytes as edge_grande_bytes',
    ])

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

/** The Empresa's cameras, with what tells which stream each one shows. */
export const listStreams = (db: Database, empresaId: number) =>
  db
    .selectFrom('cameras')
    .select(['id', 'nome', 'gravador_id', 'canal', 'rtsp_url'])
    .where('empresa_id', '=', empresaId)
    .orderBy('id')
    .execute()

/** Cameras on the channels of a recorder, in order of the channels. */
export const listRecorderCameras = (db: Database, gravadorId: number): Promise<CameraRow[]> =>
  db.selectFrom('cameras').selectAll().where('gravador_id', '=', gravadorId).orderBy('canal').execute()

export const insertCamera = async (db: Database, values: NewCamera): Promise<number> =>
  (await db.insertInto('cameras').values(values).returning('id').executeTakeFirstOrThrow()).id

export const updateCamera = async (db: Database, id: number, changes: CameraChanges): Promise<void> => {
  await db.updateTable('cameras').set(changes).where('id', '=', id).execute()
}

export const deleteCamera = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('cameras').where('id', '=', id).execute()
}

/**
 * Takes the camera's row for this transaction: another one that changes the camera waits until this one ends. First
 * statement of its transaction, so that what is read next is the newest.
 */
export const lockCamera = async (db: Database, id: number): Promise<void> => {
  await db.updateTable('cameras').set({ id }).where('id', '=', id).execute()
}

/**
 * Takes the Empresa's row for this transaction: another one that adds cameras or recorders to it waits until this one
 * ends, in whatever process, so that quota and uniqueness are decided on what is there. First statement of its transaction.
 * @returns the Empresa; undefined: there is none
 */
export const lockEmpresa = (db: Database, id: number) =>
  db.updateTable('empresas').set({ id }).where('id', '=', id).returningAll().executeTakeFirst()

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

/**
 * The edges that may serve an Empresa: its own, activated ones first, then those with the fewest cameras; last the local
 * edge of the installation.
 */
export const listServingEdges = (db: Database, empresaId: number) =>
  db
    .selectFrom('edges')
    .select(['edges.id', 'edges.local', 'edges.ativado_em', 'edges.presente', 'edges.visto_em'])
    .where((eb) => eb.or([eb('edges.empresa_id', '=', empresaId), eb('edges.local', '=', 1)]))
    .orderBy('edges.local')
    .orderBy((eb) => eb('edges.ativado_em', 'is', null))
    .orderBy((eb) =>
      eb
        .selectFrom('cameras')
        .whereRef('cameras.edge_id', '=', 'edges.id')
        .select(({ fn }) => fn.countAll<number>().as('n')),
    )
    .orderBy('edges.id')
    .execute()

/** The edge for a new camera of the Empresa; undefined: there is none at all. */
export const leastLoadedEdge = async (db: Database, empresaId: number) => (await listServingEdges(db, empresaId))[0]
