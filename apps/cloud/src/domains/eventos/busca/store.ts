import { setImmediate } from 'node:timers/promises'
import type { BuscaEventosQuery, BuscaIncidentesQuery } from '@vigia/contracts/busca'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import { localTime } from '../relatorios/local-time.ts'
import type { CameraName } from './sentence.ts'

/** Largest number of different words that begin with one word of a search. */
export const MAX_TERMOS = 5_000
/** Postings of the rarest word that one page examines; the next page goes on from there. */
const BUDGET = 10_000
/** Postings that one range of ids should have. */
const FEW = 1_000
/** Records that one statement checks. */
const AT_ONCE = 200
/** First range of ids of a frequent word. */
const FIRST_RANGE = 2_048
const RANGES = 64

/** A condition of a search: words that begin like this, or one whole field term. */
export type Wanted = { readonly prefixo: string } | { readonly termo: string }

/** Epoch ms; undefined: no bound. */
interface Period {
  readonly desde: number | undefined
  readonly ate: number | undefined
}

interface Bounds {
  readonly low: number
  /** Exclusive. */
  readonly high: number
}

interface Search extends Bounds {
  readonly alvo: 'eventos' | 'incidentes'
  /** At least one; null: all. */
  readonly empresas: readonly number[] | null
  /** Empty: the records themselves are read. */
  readonly wanted: readonly Wanted[]
  /** Hours of day in the time zone of the record's Empresa, `HH:MM`, `ate` exclusive; null: any. */
  readonly hours: { readonly de: string; readonly ate: string } | null
  /** Condition on the record itself, besides its words. */
  readonly matches: Conditions
}

interface Found {
  /** Newest first. */
  readonly ids: readonly number[]
  /** Only lower ids remain; null: none do. */
  readonly rest: number | null
}

/**
 * On PostgreSQL the column needs collation "C": only then the words of one prefix lie together. U+FFFF sorts after
 * every letter.
 */
const termMatches = (wanted: Wanted): Expression<SqlBool> => {
  const eb = expressionBuilder<Tables, 'busca_termos'>()
  return 'termo' in wanted
    ? eb('busca_termos.palavra', '=', wanted.termo)
    : eb.and([
        eb('busca_termos.palavra', '>=', wanted.prefixo),
        eb('busca_termos.palavra', '<', `${wanted.prefixo}\uffff`),
      ])
}

/** Ids of the terms in scope, at most `MAX_TERMOS` + 1. */
export async function listTerms(
  db: Database,
  empresas: readonly number[] | null,
  wanted: Wanted,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('busca_termos')
    .select('id')
    .where(termMatches(wanted))
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .limit(MAX_TERMOS + 1)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Finds up to `limit` records that have all wanted words, newest first. Reads the postings of the rarest word, or
 * without words the records, in ranges of ids, and checks everything else at each record. The work for one page is
 * bounded: after `BUDGET` ids it ends, with fewer records if need be.
 * @param terms ids of the terms of each wanted word, none of them empty
 */
export async function findRecords(
  db: Database,
  search: Search,
  terms: readonly (readonly number[])[],
  limit: number,
): Promise<Found> {
  const drivers = terms.length === 0 ? [null] : terms
  const sizes = await Promise.all(drivers.map((ids) => countAtMost(db, search, ids, search)))
  const size = Math.min(...sizes)
  const rarest = sizes.indexOf(size)
  const driver = terms[rarest] ?? null
  const others = search.wanted.filter((_, i) => i !== rarest)
  const ids: number[] = []
  let high = search.high
  let length = size <= BUDGET ? high - search.low : FIRST_RANGE
  for (let examined = 0, ranges = 0; high > search.low && examined < BUDGET && ranges < RANGES; ranges += 1) {
    const low = Math.max(search.low, Math.floor(high - length))
    if (length > FIRST_RANGE && (await countAtMost(db, search, driver, { low, high })) > BUDGET) {
      length /= 8
      continue
    }
    const postings = await listIds(db, search, driver, { low, high })
    for (let i = 0; i < postings.length; i += AT_ONCE) {
      const some = postings.slice(i, i + AT_ONCE)
      ids.push(...(await filterRecords(db, search, others, some)))
      if (ids.length > limit) return { ids: ids.slice(0, limit), rest: ids[limit - 1] ?? null }
    }
    examined += postings.length
    high = low
    // Ids may have wide ranges without a posting.
    length = postings.length < FEW / 2 ? length * 4 : postings.length > FEW * 4 ? length / 2 : length
    await setImmediate()
  }
  return { ids, rest: high > search.low ? high : null }
}

const tableOf = ({ alvo }: Search) => sql.table(alvo === 'eventos' ? 'busca_eventos' : 'busca_incidentes')

/** Ids between two: those of the postings of any of these terms, or without terms those of the records in scope. */
function idsOf(search: Search, terms: readonly number[] | null, { low, high }: Bounds) {
  const { alvo, empresas } = search
  if (terms !== null)
    return sql`select alvo_id from ${tableOf(search)}
      where termo_id in (${sql.join(terms)}) and alvo_id >= ${low} and alvo_id < ${high}`
  const inScope = empresas === null ? sql`` : sql`and empresa_id in (${sql.join(empresas)})`
  return sql`select id as alvo_id from ${sql.table(alvo)} where id >= ${low} and id < ${high} ${inScope}`
}

/** Number of ids, counted up to `BUDGET` + 1. */
async function countAtMost(
  db: Database,
  search: Search,
  terms: readonly number[] | null,
  range: Bounds,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    ${idsOf(search, terms, range)} limit ${BUDGET + 1}) parte`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

async function listIds(
  db: Database,
  search: Search,
  terms: readonly number[] | null,
  range: Bounds,
): Promise<number[]> {
  const { rows } = await sql<{ alvo_id: number }>`select distinct alvo_id from (
    ${idsOf(search, terms, range)}) parte order by alvo_id desc`.execute(db)
  return rows.map(({ alvo_id }) => alvo_id)
}

/** The records of `ids` that match, in the same order. */
async function filterRecords(
  db: Database,
  search: Search,
  wanted: readonly Wanted[],
  ids: readonly number[],
): Promise<number[]> {
  const record = sql.table(search.alvo)
  const has = wanted.map(
    (one) => sql<SqlBool>`exists (
      select 1 from busca_termos cross join ${tableOf(search)} p
      where busca_termos.empresa_id = r.empresa_id and ${termMatches(one)}
        and p.termo_id = busca_termos.id and p.alvo_id = r.id)`,
  )
  const { rows } = await sql<{ id: number; em: number; fuso: string }>`
    select r.id, ${sql.ref(`r.${search.alvo === 'eventos' ? 'ocorrido_em' : 'inicio'}`)} as em,
      (select fuso_horario from empresas where id = r.empresa_id) as fuso from ${record} r
    where ${sql.join([sql`r.id in (${sql.join(ids)})`, ...search.matches, ...has], sql` and `)}`.execute(db)
  const found = new Set(rows.filter(({ em, fuso }) => isWithin(search.hours, Number(em), fuso)).map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

/** Whether an instant lies in hours of day; hours that end before they begin pass midnight. */
function isWithin(hours: Search['hours'], epochMs: number, fuso: string): boolean {
  if (hours === null) return true
  const { de, ate } = hours
  const { hora, minuto } = localTime(epochMs, fuso)
  const now = `${String(hora).padStart(2, '0')}:${String(minuto).padStart(2, '0')}`
  return de < ate ? de <= now && now < ate : de <= now || now < ate
}

/** Bounds of the ids of all records; null: there is none. */
export async function recordBounds(db: Database, alvo: Search['alvo']): Promise<Bounds | null> {
  const row = await db
    .selectFrom(alvo as 'eventos')
    .select(({ fn }) => fn.max<number | null>('id').as('high'))
    .executeTakeFirstOrThrow()
  return row.high === null ? null : { low: 0, high: row.high + 1 }
}

/** Bounds of the ids of incidentes whose `inicio` lies in a period; null: none does. */
export async function incidenteBounds(
  db: Database,
  empresas: readonly number[] | null,
  { desde, ate }: Period,
): Promise<Bounds | null> {
  if (desde === undefined && ate === undefined) return recordBounds(db, 'incidentes')
  const row = await db
    .selectFrom('incidentes')
    .select(({ fn }) => [fn.min<number | null>('id').as('low'), fn.max<number | null>('id').as('high')])
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(desde !== undefined, (qb) => qb.where('inicio', '>=', desde ?? 0))
    .$if(ate !== undefined, (qb) => qb.where('inicio', '<', ate ?? 0))
    .executeTakeFirstOrThrow()
  return row.low === null || row.high === null ? null : { low: row.low, high: row.high + 1 }
}

type Conditions = readonly Expression<SqlBool>[]
const equals = (column: string, value: string | number | undefined): Conditions =>
  value === undefined ? [] : [sql<SqlBool>`${sql.ref(`r.${column}`)} = ${value}`]
const within = (column: string, { desde, ate }: Period): Conditions => [
  ...(desde === undefined ? [] : [sql<SqlBool>`${sql.ref(`r.${column}`)} >= ${desde}`]),
  ...(ate === undefined ? [] : [sql<SqlBool>`${sql.ref(`r.${column}`)} < ${ate}`]),
]

const numberOf = (flag: 'true' | 'false' | undefined) => (flag === undefined ? undefined : flag === 'true' ? 1 : 0)

/** Condition of the fields of `query` on an evento; terms of the camera and the IA narrow the search before it. */
export const eventoMatches = (query: BuscaEventosQuery, period: Period): Conditions => [
  ...equals('camera_id', query.camera_id),
  ...equals('tipo', query.tipo),
  ...equals('gravidade', query.gravidade),
  ...(query.veredito === undefined ? [] : [sql<SqlBool>`coalesce(r.veredito_decisao, 'pendente') = ${query.veredito}`]),
  ...equals('veredito_certeza', query.certeza),
  ...(query.nota === undefined
    ? []
    : [
        sql<SqlBool>`${query.nota === 'true' ? sql`exists` : sql`not exists`} (
          select 1 from incidentes i where i.id = r.incidente_id and i.nota is not null)`,
      ]),
  ...equals('prova', numberOf(query.prova)),
  ...within('ocorrido_em', period),
]

/** The same on an incidente, with the meanings of its list. */
export const incidenteMatches = (query: BuscaIncidentesQuery, period: Period): Conditions => [
  ...equals('camera_id', query.camera_id),
  ...(query.tipo === undefined ? [] : [sql<SqlBool>`r.tipos like ${`%|${query.tipo}|%`}`]),
  ...equals('gravidade', query.gravidade),
  ...equals('situacao', query.veredito),
  ...equals('certeza', query.certeza),
  ...(query.nota === undefined
    ? []
    : [query.nota === 'true' ? sql<SqlBool>`r.nota is not null` : sql<SqlBool>`r.nota is null`]),
  ...(query.atendido === 'true' ? [sql<SqlBool>`r.resposta is not null`] : []),
  ...(query.atendido === 'false' ? [sql<SqlBool>`r.resposta is null and r.situacao <> 'refutado'`] : []),
  ...(query.revisado === 'true' ? [sql<SqlBool>`r.revisados > 0`] : []),
  ...(query.revisado === 'false' ? [sql<SqlBool>`r.revisados = 0`] : []),
  ...equals('prova', numberOf(query.prova)),
  ...within('inicio', period),
]

/** Time of arrival of the oldest indexed event; null: every event is indexed. */
export async function indexedSince(db: Database): Promise<number | null> {
  const row = await db
    .selectFrom('busca_preenchimento')
    .select('ate_id')
    .where('alvo', '=', 'eventos')
    .executeTakeFirst()
  if (!row) return null
  const event = await db
    .selectFrom('eventos')
    .select('recebido_em')
    .where('id', '<', row.ate_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return event?.recebido_em ?? null
}

/** Names of the cameras in scope (null: all), and the gates that one camera guards. */
export async function listCameraNames(db: Database, empresas: readonly number[] | null): Promise<CameraName[]> {
  const rows = await db
    .selectFrom('cameras')
    .select(['id', 'nome', 'modo_b_config_json'])
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .execute()
  return rows.flatMap(({ id, nome, modo_b_config_json }) => {
    const { local = null } = JSON.parse(modo_b_config_json ?? '{}') as { readonly local?: string | null }
    return [{ nome, cameraId: id }, ...(local === null ? [] : [{ nome: local, cameraId: id }])]
  })
}
