import { setImmediate } from 'node:timers/promises'
import type { Updateable } from 'kysely'
import type { Database } from './open.ts'
import type { CameraRow } from './rows.ts'
import type { Tables } from './tables.ts'

export type CameraChanges = Updateable<Tables['cameras']>

/** A camera with its last silence, and the columns of its edge that its status needs. */
export type CameraWithEdge = CameraRow & {
  edge_presente: 0 | 1 | null
  edge_ativado_em: number | null
  edge_grande_bytes: number | null
  silencio_ate: number | null
  silencio_por: string | null
}

const joined = (db: Database) =>
  db
    .selectFrom('cameras')
    .leftJoin('edges', 'edges.id', 'cameras.edge_id')
    .leftJoin('silencios', 'silencios.camera_id', 'cameras.id')
    .selectAll('cameras')
    .select([
      'edges.presente as edge_presente',
      'edges.ativado_em as edge_ativado_em',
      'edges.desejado_grande_bytes as edge_grande_bytes',
      'silencios.ate as silencio_ate',
      'silencios.por_username as silencio_por',
    ])

export const findCamera = (db: Database, id: number): Promise<CameraWithEdge | undefined> =>
  joined(db).where('cameras.id', '=', id).executeTakeFirst()

/** The existing cameras among `ids`, which must not be empty. */
export const listCamerasById = (db: Database, ids: readonly number[]): Promise<CameraWithEdge[]> =>
  joined(db)
    .where('cameras.id', 'in', [...ids])
    .execute()

/** Cameras of one statement; about 5 ms of the thread on SQLite. */
const PART = 1_000

/** Every camera of the installation, ordered by id. Other work of the thread runs between two parts. */
export async function listEveryCamera(db: Database): Promise<CameraWithEdge[]> {
  const cameras: CameraWithEdge[] = []
  for (;;) {
    const part = await listCamerasAfter(db, null, cameras.at(-1)?.id ?? null, PART)
    cameras.push(...part)
    if (part.length < PART) return cameras
    await setImmediate()
  }
}

/** Ordered by id, behind the id `after`; null: from the first. @param empresaIds null: all Empresas. */
export const listCamerasAfter = (
  db: Database,
  empresaIds: readonly number[] | null,
  after: number | null,
  limit: number,
): Promise<CameraWithEdge[]> =>
  joined(db)
    .$if(empresaIds !== null, (qb) => qb.where('cameras.empresa_id', 'in', empresaIds ?? []))
    .$if(after !== null, (qb) => qb.where('cameras.id', '>', after))
    .orderBy('cameras.id')
    .limit(limit)
    .execute()

/** @param empresaIds null: all Empresas. */
export async function countCameras(db: Database, empresaIds: readonly number[] | null): Promise<number> {
  const { n } = await db
    .selectFrom('cameras')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Cameras of a gravador, ordered by canal. */
export const listGravadorCameras = (db: Database, gravadorId: number): Promise<CameraRow[]> =>
  db.selectFrom('cameras').selectAll().where('gravador_id', '=', gravadorId).orderBy('canal').execute()

/** Addresses and masks of cameras. @param empresaIds null: all Empresas. @param masked only cameras with masks */
export const listSources = (db: Database, empresaIds: readonly number[] | null, masked: boolean) =>
  db
    .selectFrom('cameras')
    .leftJoin('gravadores', 'gravadores.id', 'cameras.gravador_id')
    .select(['cameras.id', 'cameras.nome', 'cameras.empresa_id', 'cameras.edge_id', 'cameras.canal'])
    .select(['cameras.rtsp_url', 'cameras.sub_rtsp_url', 'cameras.mascaras_json', 'gravadores.fabricante'])
    .$if(masked, (qb) => qb.where('cameras.mascaras_json', '<>', '[]'))
    .$if(empresaIds !== null, (qb) => qb.where('cameras.empresa_id', 'in', empresaIds ?? []))
    .orderBy('cameras.id')
    .execute()

export const updateCamera = async (db: Database, id: number, changes: CameraChanges): Promise<void> => {
  await db.updateTable('cameras').set(changes).where('id', '=', id).execute()
}
