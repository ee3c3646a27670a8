import { setImmediate } from 'node:timers/promises'
import type { SituacaoIncidente } from '@vigia/contracts/incidentes'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { IncidenteRow } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import type { TimePosition } from '../../../http/page-cursor.ts'

/** Filter of incidentes; undefined: any. The period applies to `inicio`, epoch ms. */
export interface IncidenteFilter {
  /** At least one; null: all. */
  readonly empresas: readonly number[] | null
  readonly cameraId: number | undefined
  readonly tipo: string | undefined
  readonly gravidade: IncidenteRow['gravidade'] | undefined
  readonly situacao: SituacaoIncidente | undefined
  /** true: answered; false: the queue. */
  readonly atendido: boolean | undefined
  readonly revisado: boolean | undefined
  readonly prova: boolean | undefined
  readonly desde: number | undefined
  readonly ate: number | undefined
}

interface Page {
  /** Only incidentes after this position; null: from the newest on. */
  readonly after: TimePosition | null
  readonly limit: number
  readonly offset: number
}

const builder = expressionBuilder<Tables, 'incidentes'>()

function matches(filter: IncidenteFilter): Expression<SqlBool> {
  const { empresas, cameraId, tipo, gravidade, situacao, atendido, revisado, prova, desde, ate } = filter
  const conditions: Expression<SqlBool>[] = []
  if (empresas !== null) conditions.push(builder('empresa_id', 'in', empresas))
  if (cameraId !== undefined) conditions.push(builder('camera_id', '=', cameraId))
  if (tipo !== undefined) conditions.push(builder('tipos', 'like', `%|${tipo}|%`))
  if (gravidade !== undefined) conditions.push(builder('gravidade', '=', gravidade))
  if (situacao !== undefined) conditions.push(builder('situacao', '=', situacao))
  if (atendido === true) conditions.push(builder('resposta', 'is not', null))
  // Same text as in the index of the queue (migration 0013).
  if (atendido === false) conditions.push(builder('resposta', 'is', null), sql`situacao <> 'refutado'`)
  if (revisado !== undefined) conditions.push(builder('revisados', revisado ? '>' : '=', 0))
  if (prova !== undefined) conditions.push(builder('prova', '=', prova ? 1 : 0))
  if (desde !== undefined) conditions.push(builder('inicio', '>=', desde))
  if (ate !== undefined) conditions.push(builder('inicio', '<', ate))
  return builder.and(conditions)
}

export async function countIncidentes(db: Database, filter: IncidenteFilter): Promise<number> {
  const { n } = await db
    .selectFrom('incidentes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(matches(filter))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Returns the positions of one page, newest first. Reads only indexes, except for a single camera. */
export async function listPositions(db: Database, filter: IncidenteFilter, page: Page): Promise<TimePosition[]> {
  const { empresas, cameraId } = filter
  const wanted = page.offset + page.limit
  const found =
    empresas === null || empresas.length === 1 || cameraId !== undefined
      ? await listPart(db, filter, page.after, wanted)
      : await listInPeriods(db, { ...filter, empresas }, page.after, wanted)
  return found.slice(page.offset)
}

async function listPart(
  db: Database,
  filter: IncidenteFilter,
  after: TimePosition | null,
  limit: number,
): Promise<TimePosition[]> {
  return db
    .selectFrom('incidentes')
    .select(['inicio as em', 'id'])
    .where(matches(filter))
    .$if(after !== null, (qb) => qb.where(isAfter(after ?? { em: 0, id: 0 })))
    .orderBy('inicio', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

// The first condition lets the index begin at the position.
const isAfter = ({ em, id }: TimePosition): Expression<SqlBool> =>
  builder.and([builder('inicio', '<=', em), builder.or([builder('inicio', '<', em), builder('id', '<', id)])])

const DAY_MS = 86_400_000

/**
 * Lists the incidentes of several Empresas. No index has them in order of time. They are therefore read and sorted
 * period by period, from the newest on. Each period is twice as long as the one before.
 */
async function listInPeriods(
  db: Database,
  filter: IncidenteFilter & { readonly empresas: readonly number[] },
  after: TimePosition | null,
  limit: number,
): Promise<TimePosition[]> {
  const { first, last } = await boundsOf(db, filter.empresas)
  if (first === null || last === null) return []
  const low = Math.max(first, filter.desde ?? first)
  let high = Math.min(last, filter.ate ?? last, after?.em ?? last) + 1
  const found: TimePosition[] = []
  for (let lengthMs = DAY_MS; high > low && found.length < limit; lengthMs *= 2, await setImmediate()) {
    const desde = Math.max(low, high - lengthMs)
    const ate = Math.min(high, filter.ate ?? high)
    found.push(...(await listPart(db, { ...filter, desde, ate }, after, limit - found.length)))
    high = desde
  }
  return found
}

/** First and last `inicio` of the Empresas, by two searches of the index for each. */
async function boundsOf(db: Database, empresas: readonly number[]) {
  const bound = (order: 'asc' | 'desc') =>
    sql`(select inicio from incidentes where empresa_id = empresas.id order by inicio ${sql.raw(order)} limit 1)`
  const { rows } = await sql<{ primeiro: number | null; ultimo: number | null }>`
    select min(primeiro) as primeiro, max(ultimo) as ultimo from
      (select ${bound('asc')} as primeiro, ${bound('desc')} as ultimo
        from empresas where id in (${sql.join(empresas)})) as limites`.execute(db)
  const [row] = rows
  return { first: row?.primeiro ?? null, last: row?.ultimo ?? null }
}
