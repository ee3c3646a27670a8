import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Span } from '../../db/evento-periods.ts'
import type { Database } from '../../db/open.ts'
import { type Counts, countAtMost, countEachPeriod, countedBy } from './count-store.ts'
import { type EventoFilter, eventsBetween, matches, situacaoOf } from './filter-store.ts'

/** Ids from `low` up to, not including, `high`. */
interface Window {
  readonly low: number
  readonly high: number
}
interface Page {
  /** Only ids below it; null: from the newest on. */
  readonly before: number | null
  readonly limit: number
  readonly offset: number
}

/** So many events are read and sorted without a second thought. */
const FEW = 2000
/** Longest stretch of ids looked through in one statement: some milliseconds, then others have their turn. */
const STRETCH = 65_536

/**
 * Ids of one page, newest first. `counts`: what `countEvents` says of the same filter. Only indexes are walked, and of those
 * a small multiple of the page; what the offset skips is counted in stretches.
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
 * The time of `filter`, parted where there are many events. By id the events of a time lie close together, save those of a
 * box whose clock was wrong: there are few of them, mostly far away in time, and they are looked up by time. Thus they do
 * not stretch the ids through which the others are looked for.
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

/** All of a short time that `filter` finds. */
async function listSpan(db: Database, filter: EventoFilter, span: Span, high: number): Promise<number[]> {
  const rows = await db
    .with(
      // Materialized: else the index of another condition may be walked from end to end.
      (cte) => cte('trecho').materialized(),
      (qb) => eventsBetween(qb, span),
    )
    .selectFrom('trecho')
    .select('id')
    .where(matches(filter))
    .where('id', '<', high)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * One page out of the streams of `filter` and of `few` further ids (descending). The ids are looked through from the newest
 * down, in stretches as long as the density of events suggests, longer where little is found.
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
  // Down to a length of a few ids: the further ids that lie above may be more than what is left to skip.
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
    // Where there are few in all, one look finds them.
    const stretch = { low: counts.total <= FEW ? low : Math.max(low, high - Math.min(length, STRETCH)), high }
    const found = await listStretch(db, streams, stretch, wanted - ids.length)
    ids.push(...found)
    high = found.length === 0 ? await endBelow(db, stretch.low) : stretch.low
    length *= 4
    if (ids.length < wanted) await setImmediate()
  }
  return [...ids, ...left].sort((a, b) => b - a).slice(skipped, wanted)
}

/** Skips ids that no event has, however many: the end (exclusive) of the ids below `high`. */
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
 * What `filter` finds as streams: sets of events that agree in the leading columns of one index (migration 0003), in
 * which they therefore lie by id. `source`: one row for each stream, out of the counts, so that a class without an event
 * costs nothing. `joined`: the condition that event `e` is of the stream `correntes` and in the time of the filter.
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
    const own = key === 'situacao' ? situacaoOf('e') : sql.ref(`e.${key}`)
    return sql`${own} = ${sql.ref(`correntes.${key}`)}`
  })
  if (desde !== undefined) conditions.push(sql`e.ocorrido_em >= ${desde}`)
  if (ate !== undefined) conditions.push(sql`e.ocorrido_em < ${ate}`)
  return { source, joined: sql.join(conditions, sql` and `) }
}
type Streams = ReturnType<typeof streamsOf>

// A cross join is read from left to right by SQLite: the streams first, then each in its index.
const inStretch = ({ source, joined }: Streams, { low, high }: Window, columns: ReturnType<typeof sql>) =>
  sql`with correntes as materialized (${source})
    select ${columns} from correntes cross join eventos e where ${joined} and e.id >= ${low} and e.id < ${high}`

async function listStretch(db: Database, streams: Streams, window: Window, n: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${inStretch(streams, window, sql`e.id`)}
    order by e.id desc limit ${n}`.execute(db)
  return rows.map(({ id }) => id)
}

async function countStretch(db: Database, streams: Streams, window: Window): Promise<number> {
  const { rows } = await sql<{ n: number }>`${inStretch(streams, window, sql`count(*) as n`)}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
