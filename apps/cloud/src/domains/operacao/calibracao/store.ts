import { setImmediate } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../db/open.ts'

/** Period of one camera in epoch ms, `ate` exclusive. */
export interface CameraPeriod {
  readonly cameraId: number
  readonly desde: number
  readonly ate: number
}

/** Rows of one statement; about 6 ms of the thread on SQLite. */
const PART = 500

interface Position {
  readonly id: number
  readonly ocorrido_em: number
}

/**
 * The newest rows, oldest first. Other work of the thread runs between two parts.
 * @param read the next rows before a position, the newest first
 */
async function newestRows<Row extends Position>(
  limit: number,
  read: (before: Position, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const asked = Math.min(PART, limit - rows.length)
    const last = { id: Number.MAX_SAFE_INTEGER, ocorrido_em: Number.MAX_SAFE_INTEGER }
    const part = await read(rows.at(-1) ?? last, asked)
    rows.push(...part)
    if (part.length < asked || rows.length === limit) return rows.reverse()
    await setImmediate()
  }
}

const isBefore = ({ ocorrido_em, id }: Position) => sql<SqlBool>`(ocorrido_em, id) < (${ocorrido_em}, ${id})`

/** The newest events of the period, oldest first. */
export const listCandidatos = (db: Database, period: CameraPeriod, limit: number) =>
  newestRows(limit, (before, part) => candidatosBefore(db, period, before, part))

const candidatosBefore = (db: Database, { cameraId, desde, ate }: CameraPeriod, before: Position, limit: number) =>
  db
    .selectFrom('eventos')
    .select(['id', 'tipo', 'ocorrido_em', 'confianca', 'caixas_json', 'detalhes_json', 'trajeto_json', 'trilha'])
    .select(['calibracao_json', 'crop_path', 'veredito_decisao', 'revisao_rotulo'])
    .where('camera_id', '=', cameraId)
    .where('ocorrido_em', '>=', desde)
    .where('ocorrido_em', '<', ate)
    .where(isBefore(before))
    .orderBy('ocorrido_em', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

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
export const listDescartados = (db: Database, period: CameraPeriod, limit: number) =>
  newestRows(limit, (before, part) => descartadosBefore(db, period, before, part))

const descartadosBefore = (db: Database, { cameraId, desde, ate }: CameraPeriod, before: Position, limit: number) =>
  db
    .selectFrom('descartados')
    .selectAll()
    .where('camera_id', '=', cameraId)
    .where('ocorrido_em', '>=', desde - LONGEST_TRACK_MS)
    .where('ocorrido_em', '<', ate)
    .where(isBefore(before))
    .orderBy('ocorrido_em', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
