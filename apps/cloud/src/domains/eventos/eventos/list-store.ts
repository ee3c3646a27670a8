import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Span } from '../../../db/evento-periods.ts'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import { classExpression } from '../../../db/verdict-class.ts'
import { type Counts, countAtMost, countEachPeriod, countedBy } from './count-store.ts'
import { type EventoFilter, eventsBetween, matches } from './filter-store.ts'

/** Ids from `low` to `high` (exclusive). */
interface Window {
  readonly low: number
  readonly high: number
}
interface Page {
  /** Only lower ids; null: from the newest on. */
  readonly before: number | null
  readonly limit: number
  readonly offset: number
}

/** Number of events that are read and sorted directly. */
const FEW = 2000
/** Largest range of ids in one statement: some milliseconds, after which other work runs. */
const STRETCH = 65_536

/**
 * Returns the ids of one page, newest first. `counts`: result of `countEvents` for the same filter. Reads only indexes,
 * and a small multiple of the page; ids skipped by the offset are counted in ranges.
 */
export async function listIds(db: Database, filter: EventoFilter, counts: Counts, page: Page): Promise<number[]> {
  if (page.offset >= counts.total) return []
  const high = page.before ?? Number.MAX_SAFE_INTEGER
  if (filter.desde === undefined && filter.ate === undefined)
    return walk(db, filter, counts, [], { ...page, before: high })
  const { fringes, core } = await splitTime(db, filter)
  const few: number[] = []
  for (const span of fringes) few.push(...(await listSpan(db, filter, span, high)))
  few.sort((a, b) => b - a)
  if (core === null) return few.slice(page.offset, page.offset + page.limit)
  const inner = { ...filter, ...core }
  return walk(db, inner, await countAtMost(db, inner), few, { ...page, before: high })
}

/**
 * Splits the span of `filter` into its dense part and the rest. Events of a span have close ids, except events of edges
 * with wrong clocks. Those are few and found by time. They therefore do not widen the id range of the others.
 */
async function splitTime(db: Database, { desde, ate }: Span): Promise<{ fringes: Span[]; core: Span | null }> {
  const periods = await countEachPeriod(db, { desde, ate })
  const lengthOfFew = (ordered: typeof periods) => {
    let sum = 0
    const end = ordered.findIndex(({ n }) => {
      sum += n
      return sum > FEW
    })
    return end === -1 ? ordered.length : end
  }
  const head = lengthOfFew(periods)
  const rest = periods.slice(head)
  const core = rest.slice(0, rest.length - lengthOfFew(rest.toReversed()))
  const [first] = core
  const last = core.at(-1)
  if (!first || !last) return { fringes: [{ desde, ate }], core: null }
  const from = head === 0 ? desde : first.desde
  const to = core.length === rest.length ? ate : last.ate
  const fringes: Span[] = []
  if (head > 0) fringes.push({ desde, ate: from })
  if (core.length < rest.length) fringes.push({ desde: to, ate })
  return { fringes, core: { desde: from, ate: to } }
}

/** All events of `filter` in a short span. */
async function listSpan(db: Database, filter: EventoFilter, span: Span, high: number): Promise<number[]> {
  const rows = await db
    .with(
      // This part is materialized, because SQLite might otherwise scan the index of another condition.
      (cte) => cte('trecho').materialized(),
      (qb) => eventsBetween(qb, { ...span, semProvas: filter.semProvas }),
    )
    .selectFrom('trecho')
    .select('id')
    .where(matches(filter))
    .where('id', '<', high)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Returns one page from the streams of `filter` and the additional ids `few` (descending). Reads ids from the newest
 * down, in ranges sized by the density of events.
 */
async function walk(
  db: Database,
  filter: EventoFilter,
  counts: Counts,
  few: readonly number[],
  page: Page & { readonly before: number },
): Promise<number[]> {
  const streams = streamsOf(filter, counts)
  const low = counts.menorId
  let high = Math.min(page.before, counts.maiorId + 1)
  let left = few
  let skipped = page.offset
  // The range shrinks to 64 ids, because the additional ids above it may exceed the remaining offset.
  for (let length = STRETCH; skipped > FEW && high > low && length >= 64; await setImmediate()) {
    const stretch = { low: Math.max(low, high - length), high }
    const below = left.filter((id) => id < stretch.low)
    const n = (await countStretch(db, streams, stretch)) + left.length - below.length
    if (n > skipped) length /= 8
    else {
      skipped -= n
      high = n === 0 ? await endBelow(db, stretch.low) : stretch.low
      left = below
    }
  }

  const wanted = skipped + page.limit
  const ids: number[] = []
  let length = Math.ceil((2 * wanted * (high - low)) / Math.max(counts.total, 1))
  while (ids.length < wanted && high > low) {
    // A small total is found in one read.
    const stretch = { low: counts.total <= FEW ? low : Math.max(low, high - Math.min(length, STRETCH)), high }
    const found = await listStretch(db, streams, stretch, wanted - ids.length)
    ids.push(...found)
    high = found.length === 0 ? await endBelow(db, stretch.low) : stretch.low
    length *= 4
    if (ids.length < wanted) await setImmediate()
  }
  return [...ids, ...left].sort((a, b) => b - a).slice(skipped, wanted)
}

/** Skips unused ids: returns the end (exclusive) of the ids below `high`. */
async function endBelow(db: Database, high: number): Promise<number> {
  const row = await db
    .selectFrom('eventos')
    .select('id')
    .where('id', '<', high)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? 0 : row.id + 1
}

const CLASSE = ['tipo', 'gravidade', 'situacao'] as const

/**
 * Splits `filter` into streams: sets of events with equal leading columns of one index (migration 0023), ordered by id.
 * `source`: one row per stream from the counts, so that empty classes cost nothing. `joined`: condition that event `e`
 * belongs to the stream `correntes` and the span. `index`: the index with these columns.
 */
function streamsOf(filter: EventoFilter, { menorId, maiorId }: Counts) {
  const { empresas, cameraId, desde, ate } = filter
  const anyClass = CLASSE.every((column) => filter[column] === undefined)
  const byEmpresa = empresas !== null && cameraId === undefined
  const owner = cameraId !== undefined ? ['camera_id', 'empresa_id'] : byEmpresa ? ['empresa_id'] : []
  const keys = byEmpresa && anyClass ? owner : [...owner, ...CLASSE]
  const source =
    byEmpresa && anyClass
      ? sql`select id as empresa_id from empresas where id in (${sql.join(empresas)})`
      : sql`select ${sql.join(keys.map((key) => sql.ref(key)))} from contagens_eventos
          where dias = 0 and ${countedBy(filter)} and menor_id <= ${maiorId} and maior_id >= ${menorId}`
  const conditions = keys.map((key) => {
    const own = key === 'situacao' ? classExpression('e') : sql.ref(`e.${key}`)
    return sql`${own} = ${sql.ref(`correntes.${key}`)}`
  })
  if (filter.semProvas) conditions.push(sql`e.prova = 0`)
  if (desde !== undefined) conditions.push(sql`e.ocorrido_em >= ${desde}`)
  if (ate !== undefined) conditions.push(sql`e.ocorrido_em < ${ate}`)
  const ofEmpresa = byEmpresa ? (anyClass ? 'eventos_empresa' : 'eventos_empresa_classe') : 'eventos_classe'
  const index = cameraId === undefined ? ofEmpresa : 'eventos_camera'
  return { source, index, joined: sql.join(conditions, sql` and `) }
}
type Streams = ReturnType<typeof streamsOf>

/**
 * SQLite evaluates a cross join from left to right: the streams first, then the named index. In a wide range of ids it
 * would otherwise read all events by their ids.
 */
const inStretch = (
  db: Database,
  { source, joined, index }: Streams,
  { low, high }: Window,
  columns: ReturnType<typeof sql>,
) =>
  sql`with correntes as materialized (${source})
    select ${columns} from correntes cross join eventos e ${isPostgres(db) ? sql`` : sql`indexed by ${sql.ref(index)}`}
    where ${joined} and e.id >= ${low} and e.id < ${high}`

/**
 * PostgreSQL plans freely: for the order of all streams together it would read every id of the window. The newest of
 * each stream come from one index in their order.
 */
const newestOfEach = ({ source, joined }: Streams, { low, high }: Window, n: number) =>
  sql`with correntes as materialized (${source})
    select e.id from correntes cross join lateral (
      select e.id from eventos e where ${joined} and e.id >= ${low} and e.id < ${high} order by e.id desc limit ${n}) e`

async function listStretch(db: Database, streams: Streams, window: Window, n: number): Promise<number[]> {
  const found = isPostgres(db) ? newestOfEach(streams, window, n) : inStretch(db, streams, window, sql`e.id`)
  const { rows } = await sql<{ id: number }>`${found} order by e.id desc limit ${n}`.execute(db)
  return rows.map(({ id }) => id)
}

async function countStretch(db: Database, streams: Streams, window: Window): Promise<number> {
  const { rows } = await sql<{ n: number }>`${inStretch(db, streams, window, sql`count(*) as n`)}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
