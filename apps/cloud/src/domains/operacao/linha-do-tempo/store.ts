import { listLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'

/** Period in epoch ms, `ate` exclusive. */
export interface Period {
  readonly desde: number
  readonly ate: number
}

interface CameraFilter {
  /** At least one; null: all. */
  readonly empresas: readonly number[] | null
  readonly cameraId: number | undefined
}

const filtered = (db: Database, { empresas, cameraId }: CameraFilter) =>
  db
    .selectFrom('cameras')
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('id', '=', cameraId ?? 0))

/** Cameras by name. */
export const listCamerasPage = (
  db: Database,
  filter: CameraFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) =>
  filtered(db, filter)
    .select(['id', 'nome', 'empresa_id'])
    .orderBy('nome')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countCameras(db: Database, filter: CameraFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** An incidente that holds one track has no longest length. Those of more than a day are missing on later days. */
const LONGEST_MS = 86_400_000

/** The newest incidentes of each camera that overlap the period, newest first. */
export async function listIncidentesOf(
  db: Database,
  cameraIds: readonly number[],
  { desde, ate }: Period,
  limit: number,
) {
  if (cameraIds.length === 0) return []
  return db
    .with('do_dia', (qb) =>
      qb
        .selectFrom('incidentes')
        .select(['id', 'camera_id', 'inicio', 'fim', 'tipos', 'gravidade', 'situacao', 'resposta', 'capa_evento_id'])
        .select(['hora_de', 'hora_ate', 'prova'])
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('camera_id').orderBy('inicio', 'desc').orderBy('id', 'desc'))
            .as('lugar'),
        )
        .where('camera_id', 'in', cameraIds)
        .where('inicio', '>=', desde - LONGEST_MS)
        .where('inicio', '<', ate)
        .where('fim', '>=', desde),
    )
    .selectFrom('do_dia')
    .selectAll()
    .where('lugar', '<=', limit)
    .orderBy('inicio', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The newest quedas of these cameras that overlap the period, newest first. */
export async function listQuedasOf(db: Database, cameraIds: readonly number[], { desde, ate }: Period) {
  if (cameraIds.length === 0) return []
  return db
    .selectFrom('quedas')
    .select(['id', 'camera_id', 'inicio', 'fim', 'motivo'])
    .where('camera_id', 'in', cameraIds)
    .where('inicio', '<', ate)
    .where((eb) => eb.or([eb('fim', 'is', null), eb('fim', '>', desde)]))
    .orderBy('id', 'desc')
    .execute()
}

/** Times in the period in which somebody who sees the Empresa had the page open, by start. */
export async function listPresences(db: Database, empresaId: number, { desde, ate }: Period) {
  const [, ...above] = await listLineage(db, empresaId)
  const ids = above.map(({ id }) => id)
  return db
    .selectFrom('presencas')
    .select(['inicio', 'fim'])
    .where('fim', '>', desde)
    .where('inicio', '<', ate)
    .where((eb) =>
      eb.or([
        eb('empresa_id', '=', empresaId),
        eb('empresa_id', 'is', null),
        ...(ids.length > 0 ? [eb.and([eb('abaixo', '=', 1), eb('empresa_id', 'in', ids)])] : []),
      ]),
    )
    .orderBy('inicio')
    .execute()
}

/** Start of the first known presence; null: there is none. */
export async function firstPresence(db: Database): Promise<number | null> {
  const row = await db.selectFrom('presencas').select('inicio').orderBy('id').limit(1).executeTakeFirst()
  return row?.inicio ?? null
}

/** The oldest of these Empresas; null: there is none. */
export async function firstCreation(db: Database, empresas: readonly number[]): Promise<number | null> {
  const { em } = await db
    .selectFrom('empresas')
    .select(({ fn }) => fn.min<number | null>('criada_em').as('em'))
    .where('id', 'in', empresas)
    .executeTakeFirstOrThrow()
  return em
}
