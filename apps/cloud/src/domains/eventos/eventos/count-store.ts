import { type SituacaoPlaca, situacoesPlaca } from '@vigia/contracts/passagens'
import { type Expression, type SqlBool, sql } from 'kysely'
import { cover, type Periods, type Span, startOf } from '../../../db/evento-periods.ts'
import { isOfProva } from '../../../db/janelas-prova.ts'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import { classExpression } from '../../../db/verdict-class.ts'
import { type EventoFilter, eventsBetween, matches } from './filter-store.ts'

/** Condition of `filter` on count rows, without its time; 0 stands for the whole Empresa or installation. */
export const countedBy = (filter: EventoFilter): Expression<SqlBool> =>
  matches({
    ...filter,
    cameraId: filter.cameraId ?? 0,
    empresas: filter.empresas ?? (filter.cameraId === undefined ? [0] : null),
  })

/** `total` events with ids from `menorId` to `maiorId`. */
export interface Counts {
  readonly total: number
  readonly menorId: number
  readonly maiorId: number
}
const nothing: Counts = { total: 0, menorId: 0, maiorId: 0 }

/** Returns the number of events of `filter` from the counts. Partial days at both ends are counted from the events. */
export async function countEvents(db: Database, filter: EventoFilter): Promise<Counts> {
  const { periodos, sobras } = cover(filter)
  const { total, ...bounds } = await countPeriods(db, filter, periodos)
  if (total === 0) return nothing
  let beyond = 0
  for (const span of sobras) beyond += await countSpan(db, filter, span)
  return { total: total - beyond, ...bounds }
}

/** Upper bound without event reads: it includes the whole days of `desde` and `ate`. */
export const countAtMost = (db: Database, filter: EventoFilter): Promise<Counts> =>
  countPeriods(db, filter, cover(filter).periodos)

/** Returns the number of events of the installation in each counted period that overlaps `span`, in order of time. */
export async function countEachPeriod(db: Database, span: Span): Promise<{ desde: number; ate: number; n: number }[]> {
  const found: { desde: number; ate: number; n: number }[] = []
  for (const { dias, de, ate } of cover(span).periodos) {
    if (dias === 0) continue
    const rows = await db
      .selectFrom('contagens_eventos')
      .select(({ fn }) => ['periodo', fn.sum<number>('n').as('n')])
      .where('dias', '=', dias)
      .where(countedBy({ empresas: null }))
      .$if(de !== null, (qb) => qb.where('periodo', '>=', de ?? 0))
      .$if(ate !== null, (qb) => qb.where('periodo', '<', ate ?? 0))
      .groupBy('periodo')
      .execute()
    for (const { periodo, n } of rows)
      found.push({ desde: startOf(dias, periodo), ate: startOf(dias, periodo + 1), n: Number(n) })
  }
  return found.sort((a, b) => a.desde - b.desde)
}

async function countPeriods(db: Database, filter: EventoFilter, periodos: readonly Periods[]): Promise<Counts> {
  let sum = nothing
  for (const { dias, de, ate } of periodos) {
    const row = await db
      .selectFrom('contagens_eventos')
      .select(({ fn }) => [
        fn.coalesce(fn.sum<number>('n'), sql.lit(0)).as('total'),
        fn.min('menor_id').as('menorId'),
        fn.max('maior_id').as('maiorId'),
      ])
      .where('dias', '=', dias)
      .where(countedBy(filter))
      .$if(de !== null, (qb) => qb.where('periodo', '>=', de ?? 0))
      .$if(ate !== null, (qb) => qb.where('periodo', '<', ate ?? 0))
      .executeTakeFirstOrThrow()
    const total = Number(row.total)
    if (total > 0)
      sum = {
        total: sum.total + total,
        menorId: sum.total === 0 ? row.menorId : Math.min(sum.menorId, row.menorId),
        maiorId: Math.max(sum.maiorId, row.maiorId),
      }
  }
  return sum
}

/**
 * Counts the events of less than a day individually. This part is materialized, because SQLite might otherwise scan the
 * index of another condition.
 */
async function countSpan(db: Database, filter: EventoFilter, span: Span): Promise<number> {
  const { n } = await db
    .with(
      (cte) => cte('trecho').materialized(),
      (qb) => eventsBetween(qb, span),
    )
    .selectFrom('trecho')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(matches(filter))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Returns the number of events of each class, for all time. */
export const countClasses = (db: Database, filter: EventoFilter) =>
  db
    .selectFrom('contagens_eventos')
    .select(({ fn }) => [
      'tipo',
      'gravidade',
      'situacao',
      fn.sum<number>('n').as('n'),
      fn.sum<number>('revisados_confirmado').as('revisados_confirmado'),
      fn.sum<number>('revisados_refutado').as('revisados_refutado'),
    ])
    .where('dias', '=', 0)
    .where(countedBy(filter))
    .groupBy(['tipo', 'gravidade', 'situacao'])
    .execute()

/** The same numbers of the events of walk tests, which the counts contain. */
export const countProvaClasses = (db: Database, { empresas, cameraId }: EventoFilter) =>
  db
    .selectFrom('eventos')
    .select(({ fn, eb }) => [
      'tipo',
      'gravidade',
      classExpression('eventos').as('situacao'),
      fn.countAll<number>().as('n'),
      fn.count<number>(eb.case().when('revisao_rotulo', '=', 'confirmado').then(1).end()).as('revisados_confirmado'),
      fn.count<number>(eb.case().when('revisao_rotulo', '=', 'refutado').then(1).end()).as('revisados_refutado'),
    ])
    .where(isOfProva)
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))
    .groupBy(['tipo', 'gravidade', 'situacao'])
    .execute()

/** Number of the events of walk tests of `filter`. */
export async function countProvas(db: Database, filter: EventoFilter): Promise<number> {
  const { n } = await provasOf(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The events of walk tests of `filter`: few, from an index of their own. */
const provasOf = (db: Database, filter: EventoFilter) =>
  db
    .with(
      (cte) => cte('provas_do_filtro').materialized(),
      (qb) => eventsBetween(qb, filter).where(isOfProva),
    )
    .selectFrom('provas_do_filtro')
    .where(matches(filter))

/** Ids of one page of them, newest first. @param before only lower ids; null: from the newest on */
export const listProvaIds = async (
  db: Database,
  filter: EventoFilter,
  { before, limit, offset }: { readonly before: number | null; readonly limit: number; readonly offset: number },
): Promise<number[]> => {
  const rows = await provasOf(db, filter)
    .select('id')
    .$if(before !== null, (qb) => qb.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

/** Cameras of one statement, which reads only an index. */
const CAMERAS_OF_PART = 1_000

/**
 * Returns numbers of passages by their situation, in parts of the cameras; null: without a plate. On SQLite the thread
 * serves other requests between the parts (db/thread-share.ts).
 */
export async function countPassages(
  db: Database,
  { empresas, cameraId }: { readonly empresas: readonly number[] | null; readonly cameraId: number | undefined },
): Promise<readonly { readonly situacao: SituacaoPlaca | null; readonly n: number }[]> {
  const scope = empresas ?? (await db.selectFrom('empresas').select('id').execute()).map(({ id }) => id)
  const { last } = await db
    .selectFrom('passagens')
    .select(({ fn }) => fn.max<number | null>('camera_id').as('last'))
    .executeTakeFirstOrThrow()
  const [from, until] = cameraId === undefined ? [1, last ?? 0] : [cameraId, cameraId]
  const length = isPostgres(db) ? Number.MAX_SAFE_INTEGER : CAMERAS_OF_PART
  const counts: { situacao: SituacaoPlaca | null; n: number }[] = []
  for (let first = from; first <= until; first += length)
    // Each situation has its own part of the index.
    for (const situacao of [...situacoesPlaca, null]) {
      const { n } = await db
        .selectFrom('passagens')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('empresa_id', 'in', scope)
        .where('situacao', situacao === null ? 'is' : '=', situacao)
        .where('camera_id', '>=', first)
        .where('camera_id', '<=', Math.min(until, first + length - 1))
        .executeTakeFirstOrThrow()
      counts.push({ situacao, n: Number(n) })
    }
  return counts
}
