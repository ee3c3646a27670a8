import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { type EventFilter, eventsBetween, matches } from './filter-store.ts'
import { cover, lengths, type Periods, periodOf, type Span, startOf } from './periods.ts'

type CountRow = Selectable<Tables['contagens_eventos']>

/** The event that is counted: where, what and when (epoch ms). */
interface Counted {
  readonly id: number
  readonly empresa_id: number
  readonly camera_id: number
  readonly tipo: string
  readonly gravidade: CountRow['gravidade']
  readonly ocorrido_em: number
}
/** As what it is counted: its verdict, and the label that a person gave it. */
interface CountedAs {
  readonly situacao: CountRow['situacao']
  readonly rotulo: 'confirmado' | 'refutado' | null
}

type Change = Pick<CountRow, 'situacao' | 'n' | 'revisados_confirmado' | 'revisados_refutado'>

const change = ({ situacao, rotulo }: CountedAs, by: 1 | -1): Change => ({
  situacao,
  n: by,
  revisados_confirmado: rotulo === 'confirmado' ? by : 0,
  revisados_refutado: rotulo === 'refutado' ? by : 0,
})

/** What `to` adds and `from` takes away; one change where both are the same class, as a statement names a row once. */
function changes(from: CountedAs | null, to: CountedAs): Change[] {
  const added = change(to, 1)
  if (from === null) return [added]
  const taken = change(from, -1)
  if (from.situacao !== to.situacao) return [taken, added]
  return [
    {
      situacao: to.situacao,
      n: 0,
      revisados_confirmado: added.revisados_confirmado + taken.revisados_confirmado,
      revisados_refutado: added.revisados_refutado + taken.revisados_refutado,
    },
  ]
}

/** The rows of counts that one event changes. */
function rowsOf(event: Counted, from: CountedAs | null, to: CountedAs): CountRow[] {
  const { id, empresa_id, camera_id, tipo, gravidade, ocorrido_em } = event
  const owners = [
    { camera_id: 0, empresa_id: 0 },
    { camera_id: 0, empresa_id },
    { camera_id, empresa_id },
  ]
  return changes(from, to).flatMap((moved) =>
    owners.flatMap((owner) =>
      lengths.map((dias) => ({
        ...owner,
        dias,
        periodo: periodOf(dias, ocorrido_em),
        tipo,
        gravidade,
        ...moved,
        menor_id: id,
        maior_id: id,
      })),
    ),
  )
}

const keyOf = ({ dias, camera_id, empresa_id, periodo, tipo, gravidade, situacao }: CountRow): string =>
  [camera_id, empresa_id, dias, periodo, tipo, gravidade, situacao].join('|')

/** Counts new events that have no verdict yet, in the transaction that inserts them. */
export async function countNew(tx: Database, events: readonly Counted[]): Promise<void> {
  const sums = new Map<string, CountRow>()
  for (const row of events.flatMap((event) => rowsOf(event, null, { situacao: 'pendente', rotulo: null }))) {
    const sum = sums.get(keyOf(row))
    sums.set(keyOf(row), {
      ...row,
      n: row.n + (sum?.n ?? 0),
      menor_id: Math.min(row.menor_id, sum?.menor_id ?? row.menor_id),
      maior_id: Math.max(row.maior_id, sum?.maior_id ?? row.maior_id),
    })
  }
  await addRows(tx, [...sums.values()])
}

/** Moves an event from one count to another, in the transaction that changes the event. */
export async function moveCounts(tx: Database, event: Counted, from: CountedAs, to: CountedAs): Promise<void> {
  await addRows(tx, rowsOf(event, from, to))
  if (from.situacao === to.situacao) return
  await dropEmpty(tx, event, from.situacao)
}

/**
 * Adds to the counts. All writers touch the rows in one order, so that in a database with row locks they queue and never
 * wait in a ring.
 */
async function addRows(tx: Database, rows: readonly CountRow[]): Promise<void> {
  await tx
    .insertInto('contagens_eventos')
    .values(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(['dias', 'camera_id', 'empresa_id', 'periodo', 'tipo', 'gravidade', 'situacao'])
        .doUpdateSet((eb) => {
          const sum = (column: 'n' | 'revisados_confirmado' | 'revisados_refutado') =>
            eb(`contagens_eventos.${column}`, '+', eb.ref(`excluded.${column}`))
          // CASE: the function of two values is spelled differently in each database.
          const pick = (column: 'menor_id' | 'maior_id', better: '<' | '>') =>
            eb
              .case()
              .when(`excluded.${column}`, better, eb.ref(`contagens_eventos.${column}`))
              .then(eb.ref(`excluded.${column}`))
              .else(eb.ref(`contagens_eventos.${column}`))
              .end()
          return {
            n: sum('n'),
            revisados_confirmado: sum('revisados_confirmado'),
            revisados_refutado: sum('revisados_refutado'),
            menor_id: pick('menor_id', '<'),
            maior_id: pick('maior_id', '>'),
          }
        }),
    )
    .execute()
}

/** An empty class has no row: so its bounds start anew when it comes back. */
async function dropEmpty(
  tx: Database,
  { camera_id, empresa_id, tipo, gravidade, ocorrido_em }: Counted,
  situacao: CountRow['situacao'],
): Promise<void> {
  await tx
    .deleteFrom('contagens_eventos')
    .where('dias', 'in', lengths)
    .where('camera_id', 'in', [0, camera_id])
    .where('empresa_id', 'in', [0, empresa_id])
    .where(
      'periodo',
      'in',
      lengths.map((dias) => periodOf(dias, ocorrido_em)),
    )
    .where('tipo', '=', tipo)
    .where('gravidade', '=', gravidade)
    .where('situacao', '=', situacao)
    .where('n', '=', 0)
    .execute()
}

/** `filter` as a condition on counts, its time aside: 0 stands for the whole Empresa and for the whole installation. */
export const countedBy = (filter: EventFilter): Expression<SqlBool> =>
  matches({
    ...filter,
    cameraId: filter.cameraId ?? 0,
    empresas: filter.empresas ?? (filter.cameraId === undefined ? [0] : null),
  })

/** `total` events, all of which have ids from `menorId` to `maiorId`. */
export interface Counts {
  readonly total: number
  readonly menorId: number
  readonly maiorId: number
}
const nothing: Counts = { total: 0, menorId: 0, maiorId: 0 }

/** How many events `filter` finds: out of the counts, and of less than two days of events where its time cuts into a day. */
export async function countEvents(db: Database, filter: EventFilter): Promise<Counts> {
  const { periodos, sobras } = cover(filter)
  const { total, ...bounds } = await countPeriods(db, filter, periodos)
  if (total === 0) return nothing
  let beyond = 0
  for (const span of sobras) beyond += await countSpan(db, filter, span)
  return { total: total - beyond, ...bounds }
}

/** The same without a look at any event, and so too many by what lies beyond `desde` and `ate` on their days. */
export const countAtMost = (db: Database, filter: EventFilter): Promise<Counts> =>
  countPeriods(db, filter, cover(filter).periodos)

/** How many events of the whole installation lie in each counted period that `span` touches, in order of time. */
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

async function countPeriods(db: Database, filter: EventFilter, periodos: readonly Periods[]): Promise<Counts> {
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

/** Events of less than a day, one by one. Materialized: else the index of another condition may be walked from end to end. */
async function countSpan(db: Database, filter: EventFilter, span: Span): Promise<number> {
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

/** How many there are of each class, of all time. */
export const countClasses = (db: Database, filter: EventFilter) =>
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
