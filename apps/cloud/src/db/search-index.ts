import { sql } from 'kysely'
import { forgetTerms } from './forget-terms.ts'
import { lockChosen } from './locks.ts'
import type { Database } from './open.ts'
import type { EventoRow } from './rows.ts'
import { answerTerms, eventTerms } from './search-words.ts'
import { transact } from './transaction.ts'

/** Events of an answered incidente that its answer finds: the newest ones. */
const ANSWERED_EVENTS = 50
/** Rows of one statement; SQLite accepts 32,766 parameters. */
const ROWS_AT_ONCE = 5_000

type Posting = readonly [termoId: number, alvoId: number]

/** Terms by Empresa. */
type Terms = ReadonlyMap<number, ReadonlySet<string>>
type TermIds = (empresaId: number, palavra: string) => number

type Indexed = Pick<
  EventoRow,
  'id' | 'empresa_id' | 'camera_id' | 'camera_nome' | 'tipo' | 'rotulos_json' | 'detalhes_json'
> & { readonly incidente_id?: number | null | undefined }

/**
 * Indexes events and their incidentes, in the transaction that stores the events. Terms come after all rows of the
 * events and before the alert log (architecture.md, Incidents).
 */
export async function indexEvents(tx: Database, events: readonly Indexed[]): Promise<void> {
  if (events.length === 0) return
  const own = events.map((event) => ({ event, terms: eventTerms(event) }))
  const idOf = await termIds(
    tx,
    new Map(
      [...Map.groupBy(own, ({ event }) => event.empresa_id)].map(([empresa, some]) => [
        empresa,
        new Set(some.flatMap(({ terms }) => terms)),
      ]),
    ),
  )
  const postings = (alvo: (event: Indexed) => number | null | undefined): Posting[] =>
    own.flatMap(({ event, terms }) => {
      const id = alvo(event)
      return id == null ? [] : terms.map((term): Posting => [idOf(event.empresa_id, term), id])
    })
  await addPostings(
    tx,
    'busca_eventos',
    postings(({ id }) => id),
  )
  await addPostings(
    tx,
    'busca_incidentes',
    postings(({ incidente_id }) => incidente_id),
  )
}

/** Indexes an answer at its incidente and at the events before it, in the transaction of the answer. */
export async function indexAnswer(
  tx: Database,
  incidente: { readonly id: number; readonly empresa_id: number },
  answer: { readonly revisor: string; readonly nota: string | null },
): Promise<void> {
  const events = await tx
    .selectFrom('eventos')
    .select('id')
    .where('incidente_id', '=', incidente.id)
    .orderBy('id', 'desc')
    .limit(ANSWERED_EVENTS)
    .execute()
  const terms = answerTerms(answer.revisor, answer.nota)
  const idOf = await termIds(tx, new Map([[incidente.empresa_id, new Set(terms)]]))
  const ids = terms.map((term) => idOf(incidente.empresa_id, term))
  await addPostings(
    tx,
    'busca_eventos',
    events.flatMap(({ id }) => ids.map((termo): Posting => [termo, id])),
  )
  await addPostings(
    tx,
    'busca_incidentes',
    ids.map((termo) => [termo, incidente.id]),
  )
}

/** Indexes the reviewer of an event, in the transaction of the review. */
export async function indexReview(
  tx: Database,
  { id, empresa_id }: Pick<EventoRow, 'id' | 'empresa_id'>,
  revisor: string,
): Promise<void> {
  const terms = answerTerms(revisor, null)
  const idOf = await termIds(tx, new Map([[empresa_id, new Set(terms)]]))
  await addPostings(
    tx,
    'busca_eventos',
    terms.map((term) => [idOf(empresa_id, term), id]),
  )
}

/**
 * Removes deleted events and incidentes of an Empresa from the index, and words that nothing else has.
 * @param terms all that may point at them
 */
export async function unindex(
  tx: Database,
  empresaId: number,
  { eventos, incidentes, terms }: Unindexed,
): Promise<void> {
  if (terms.length === 0) return
  const rows = await tx
    .selectFrom('busca_termos')
    .select('id')
    .where('empresa_id', '=', empresaId)
    .where('palavra', 'in', [...new Set(terms)])
    .orderBy('id')
    .execute()
  for (const { id } of rows) {
    if (eventos.length > 0)
      await tx.deleteFrom('busca_eventos').where('termo_id', '=', id).where('alvo_id', 'in', eventos).execute()
    if (incidentes.length > 0)
      await tx.deleteFrom('busca_incidentes').where('termo_id', '=', id).where('alvo_id', 'in', incidentes).execute()
  }
  await forgetTerms(
    tx,
    rows.map(({ id }) => id),
  )
}

interface Unindexed {
  readonly eventos: readonly number[]
  readonly incidentes: readonly number[]
  readonly terms: readonly string[]
}

/** Ids of the terms, which it adds where they are missing. All writers use one order, which prevents deadlocks. */
async function termIds(tx: Database, terms: Terms): Promise<TermIds> {
  const known = new Map<string, number>()
  const keyOf = (empresa: number, palavra: string) => `${empresa} ${palavra}`
  async function read(wanted: Terms): Promise<void> {
    for (const [empresa, palavras] of wanted) {
      const rows = await tx
        .selectFrom('busca_termos')
        .select(['id', 'palavra'])
        .where('empresa_id', '=', empresa)
        .where('palavra', 'in', [...palavras])
        .execute()
      for (const { id, palavra } of rows) known.set(keyOf(empresa, palavra), id)
    }
  }
  await read(terms)
  const missing = [...terms]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([empresa_id, palavras]) =>
      [...palavras]
        .filter((palavra) => !known.has(keyOf(empresa_id, palavra)))
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((palavra) => ({ empresa_id, palavra })),
    )
  if (missing.length > 0) {
    for (let i = 0; i < missing.length; i += ROWS_AT_ONCE)
      await tx
        .insertInto('busca_termos')
        .values(missing.slice(i, i + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    // Another transaction may have added a term meanwhile.
    await read(
      new Map(
        [...Map.groupBy(missing, ({ empresa_id }) => empresa_id)].map(([empresa, rows]) => [
          empresa,
          new Set(rows.map(({ palavra }) => palavra)),
        ]),
      ),
    )
  }
  return (empresa, palavra) => {
    const id = known.get(keyOf(empresa, palavra))
    if (id === undefined) throw new Error(`term "${palavra}" of Empresa ${empresa} is missing`)
    return id
  }
}

async function addPostings(
  tx: Database,
  table: 'busca_eventos' | 'busca_incidentes',
  postings: readonly Posting[],
): Promise<void> {
  const unique = [...new Map(postings.map((posting) => [posting.join(' '), posting])).values()].toSorted(
    ([a, b], [c, d]) => a - c || b - d,
  )
  for (let i = 0; i < unique.length; i += ROWS_AT_ONCE) {
    // Literals of integers: with parameters the query builder needs more time than the database.
    const values = unique.slice(i, i + ROWS_AT_ONCE).map(([termo, alvo]) => `(${termo},${alvo})`)
    await sql`insert into ${sql.table(table)} (termo_id, alvo_id) values ${sql.raw(values.join(','))}
      on conflict do nothing`.execute(tx)
  }
}

/** Terms and postings that one step deletes. */
const TERMS_AT_ONCE = 200
const POSTINGS_AT_ONCE = 2_000

/** Deletes some words of an Empresa. Returns false when none is left. */
export const dropTerms = (db: Database, empresaId: number): Promise<boolean> =>
  transact(db, async (tx) => {
    const terms = await lockChosen(
      tx,
      tx.selectFrom('busca_termos').select('id').where('empresa_id', '=', empresaId).orderBy('id').limit(TERMS_AT_ONCE),
    ).execute()
    const ids = terms.map(({ id }) => id)
    if (ids.length === 0) return false
    for (const table of ['busca_eventos', 'busca_incidentes'] as const) {
      const some = await tx.selectFrom(table).selectAll().where('termo_id', 'in', ids).limit(POSTINGS_AT_ONCE).execute()
      for (const [termo, postings] of Map.groupBy(some, ({ termo_id }) => termo_id)) {
        const targets = postings.map(({ alvo_id }) => alvo_id)
        await tx.deleteFrom(table).where('termo_id', '=', termo).where('alvo_id', 'in', targets).execute()
      }
      if (some.length === POSTINGS_AT_ONCE) return true
    }
    await tx.deleteFrom('busca_termos').where('id', 'in', ids).execute()
    return true
  })
