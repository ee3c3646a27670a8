import type { Database } from '../../../db/open.ts'

/** Period of one camera in epoch ms, `ate` exclusive. */
export interface CameraPeriod {
  readonly cameraId: number
  readonly desde: number
  readonly ate: number
}

/** The newest events of the period, oldest first. */
export async function listCandidatos(db: Database, { cameraId, desde, ate }: CameraPeriod, limit: number) {
  const rows = await db
    .selectFrom('eventos')
    .select(['id', 'tipo', 'ocorrido_em', 'confianca', 'caixas_json', 'detalhes_json', 'trajeto_json', 'trilha'])
    .select(['calibracao_json', 'crop_path', 'veredito_decisao', 'revisao_rotulo'])
    .where('camera_id', '=', cameraId)
    .where('ocorrido_em', '>=', desde)
    .where('ocorrido_em', '<', ate)
    .orderBy('ocorrido_em', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

export type CandidatoRow = Awaited<ReturnType<typeof listCandidatos>>[number]

/** Time of the last event of each IA before the period, epoch ms; `since`: no earlier ones. */
export const lastFiredBefore = (db: Database, { cameraId, desde }: CameraPeriod, since: number) =>
  db
    .selectFrom('eventos')
    .select('tipo')
    .select(({ fn }) => fn.max<number>('ocorrido_em').as('ultimo'))
    .where('camera_id', '=', cameraId)
    .where('ocorrido_em', '>=', since)
    .where('ocorrido_em', '<', desde)
    .groupBy('tipo')
    .execute()

/** A track that began before the period may reach into it. */
const LONGEST_TRACK_MS = 60_000

/** The newest discarded candidates of the period, oldest first. */
export async function listDescartados(db: Database, { cameraId, desde, ate }: CameraPeriod, limit: number) {
  const rows = await db
    .selectFrom('descartados')
    .selectAll()
    .where('camera_id', '=', cameraId)
    .where('ocorrido_em', '>=', desde - LONGEST_TRACK_MS)
    .where('ocorrido_em', '<', ate)
    .orderBy('ocorrido_em', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}
