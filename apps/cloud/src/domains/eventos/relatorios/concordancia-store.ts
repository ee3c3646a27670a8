import { cover } from '../../../db/evento-periods.ts'
import { isOfProva } from '../../../db/janelas-prova.ts'
import type { Database } from '../../../db/open.ts'
import { type ClasseVeredito, classExpression } from '../../../db/verdict-class.ts'
import type { ReportFilter } from './store.ts'

/** Number of reviewed events of a camera, IA and class of the verdict, by the label of the review. */
interface ReviewedCount {
  readonly camera_id: number
  readonly tipo: string
  readonly situacao: ClasseVeredito
  readonly confirmado: number
  readonly refutado: number
}

/**
 * Counts the reviewed events of a period by camera, IA and class. Whole days come from the counts. The parts of days at
 * both ends, and the events of walk tests, come from the events, with negative numbers.
 */
export async function countReviewed(db: Database, filter: ReportFilter): Promise<ReviewedCount[]> {
  const { periodos, sobras } = cover(filter)
  const found: ReviewedCount[] = []
  for (const { dias, de, ate } of periodos) found.push(...(await countPeriods(db, filter, { dias, de, ate })))
  for (const { desde = 0, ate = 0 } of sobras)
    for (const row of await countSpan(db, { ...filter, desde, ate }))
      found.push({ ...row, confirmado: -row.confirmado, refutado: -row.refutado })
  for (const row of await countSpan(db, filter, true))
    found.push({ ...row, confirmado: -row.confirmado, refutado: -row.refutado })
  return found
}

type Periods = ReturnType<typeof cover>['periodos'][number]

/**
 * The cameras with reviews come from the counts for all time. Each then reads its own periods by the primary key,
 * instead of the days of all cameras.
 */
async function countPeriods(db: Database, filter: ReportFilter, { dias, de, ate }: Periods): Promise<ReviewedCount[]> {
  const { empresas, cameraId } = filter
  const rows = await db
    .with(
      (cte) => cte('revisadas').materialized(),
      (qb) =>
        qb
          .selectFrom('contagens_eventos')
          .select(['camera_id', 'empresa_id'])
          .where('dias', '=', 0)
          .where('camera_id', '>', 0)
          .where((eb) => eb.or([eb('revisados_confirmado', '>', 0), eb('revisados_refutado', '>', 0)]))
          .$if(empresas !== null, (q) => q.where('empresa_id', 'in', empresas ?? []))
          .$if(cameraId !== undefined, (q) => q.where('camera_id', '=', cameraId ?? 0))
          .groupBy(['camera_id', 'empresa_id']),
    )
    .selectFrom('revisadas')
    .innerJoin('contagens_eventos as c', (join) =>
      join.onRef('c.camera_id', '=', 'revisadas.camera_id').onRef('c.empresa_id', '=', 'revisadas.empresa_id'),
    )
    .select(({ fn }) => [
      'c.camera_id',
      'c.tipo',
      'c.situacao',
      fn.sum<number>('c.revisados_confirmado').as('confirmado'),
      fn.sum<number>('c.revisados_refutado').as('refutado'),
    ])
    .where('c.dias', '=', dias)
    .$if(de !== null, (qb) => qb.where('c.periodo', '>=', de ?? 0))
    .$if(ate !== null, (qb) => qb.where('c.periodo', '<', ate ?? 0))
    .groupBy(['c.camera_id', 'c.tipo', 'c.situacao'])
    .execute()
  return rows.map((row) => ({ ...row, confirmado: Number(row.confirmado), refutado: Number(row.refutado) }))
}

/** @param ofProva only the events of walk tests */
async function countSpan(
  db: Database,
  { empresas, cameraId, desde, ate }: ReportFilter,
  ofProva = false,
): Promise<ReviewedCount[]> {
  const rows = await db
    .selectFrom('eventos')
    .select(({ fn }) => [
      'camera_id',
      'tipo',
      classExpression('eventos').as('situacao'),
      'revisao_rotulo',
      fn.countAll<number>().as('n'),
    ])
    .where('revisao_rotulo', 'is not', null)
    .$if(ofProva, (qb) => qb.where(isOfProva))
    .where('ocorrido_em', '>=', desde)
    .where('ocorrido_em', '<', ate)
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))
    .groupBy(['camera_id', 'tipo', 'situacao', 'revisao_rotulo'])
    .execute()
  return rows.map(({ camera_id, tipo, situacao, revisao_rotulo, n }) => ({
    camera_id,
    tipo,
    situacao,
    confirmado: revisao_rotulo === 'confirmado' ? Number(n) : 0,
    refutado: revisao_rotulo === 'refutado' ? Number(n) : 0,
  }))
}
