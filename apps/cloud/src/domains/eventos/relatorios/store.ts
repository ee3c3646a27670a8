import { sql } from 'kysely'
import { empresaInPeriod } from '../../../db/eventos.ts'
import { isOfProva } from '../../../db/janelas-prova.ts'
import type { Database } from '../../../db/open.ts'
import { classExpression } from '../../../db/verdict-class.ts'

/** Records of a report; the period in epoch ms, `ate` exclusive. */
export interface ReportFilter {
  /** At least one; null: all. */
  readonly empresas: readonly number[] | null
  readonly cameraId: number | undefined
  readonly desde: number
  readonly ate: number
}

/** Offsets of time zones are multiples of it, so that a quarter lies in one local hour. */
export const QUARTER_MS = 900_000

/**
 * Number of events by quarter of an hour and class, from the index of time only. Those of walk tests, which that index
 * does not know, follow as negative numbers.
 */
export async function countQuarters(db: Database, filter: ReportFilter) {
  const tests = await countEach(db, filter).where(isOfProva).execute()
  return [...(await countEach(db, filter).execute()), ...tests.map((row) => ({ ...row, n: -Number(row.n) }))]
}

const countEach = (db: Database, { empresas, cameraId, desde, ate }: ReportFilter) =>
  db
    .selectFrom('eventos')
    .select(({ fn }) => [
      classExpression('eventos').as('situacao'),
      sql<number>`ocorrido_em / ${sql.lit(QUARTER_MS)}`.as('quarto'),
      'camera_id',
      'tipo',
      fn.countAll<number>().as('n'),
    ])
    .where('ocorrido_em', '>=', desde)
    .where('ocorrido_em', '<', ate)
    .$if(empresas !== null, (qb) => qb.where(empresaInPeriod(db), 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))
    .groupBy(['situacao', 'quarto', 'camera_id', 'tipo'])
    // Rows with equal counts keep this order in the report.
    .orderBy('camera_id')
    .orderBy('tipo')

/**
 * Incidentes, without those of walk tests, with the time and person of their first answer; the last answer counts as
 * `resposta`.
 */
export const listAnswered = (db: Database, { empresas, cameraId, desde, ate }: ReportFilter) =>
  db
    .selectFrom('incidentes')
    .select(['inicio', 'situacao', 'resposta', 'atendido_por'])
    .select((eb) =>
      eb
        .selectFrom('atendimentos')
        .select((inner) => inner.fn.min('atendimentos.atendido_em').as('em'))
        .whereRef('atendimentos.incidente_id', '=', 'incidentes.id')
        .as('primeira_em'),
    )
    .where('inicio', '>=', desde)
    .where('inicio', '<', ate)
    .where('prova', '=', 0)
    .where((eb) => eb.or([eb('situacao', '<>', 'refutado'), eb('resposta', 'is not', null)]))
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))
    .execute()

/** Quedas that overlap the period. */
export const listQuedasIn = (db: Database, { empresas, cameraId, desde, ate }: ReportFilter) =>
  db
    .selectFrom('quedas')
    .selectAll()
    .where('inicio', '<', ate)
    .where((eb) => eb.or([eb('fim', 'is', null), eb('fim', '>', desde)]))
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))
    .execute()

/** Last known names of cameras, also of removed ones. */
export async function cameraNames(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('cameras').select(['id', 'nome']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, nome }) => [id, nome]))
  for (const id of ids.filter((one) => !names.has(one))) {
    const event = await db
      .selectFrom('eventos')
      .select('camera_nome')
      .where('camera_id', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (event) names.set(id, event.camera_nome)
  }
  return names
}
