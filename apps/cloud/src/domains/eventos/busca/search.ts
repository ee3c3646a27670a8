import { MAX_PALAVRAS } from '@vigia/contracts/busca'
import { invalid } from '@vigia/contracts/errors'
import type { Database } from '../../../db/open.ts'
import { answererTerm, cameraTerm, tipoTerm, wordsOf } from '../../../db/search-words.ts'
import { readCursor, writeCursor } from '../../../http/page-cursor.ts'
import { findRecords, indexedSince, listTerms, MAX_TERMOS, type Wanted } from './store.ts'

/** Query fields that the lists do not have, and those that narrow the index of words. */
interface Query {
  readonly texto?: string | undefined
  readonly atendido_por?: string | undefined
  readonly camera_id?: number | undefined
  readonly tipo?: string | undefined
  readonly certeza?: string | undefined
  readonly nota?: string | undefined
  readonly hora_de?: string | undefined
  readonly hora_ate?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

type Search = Parameters<typeof findRecords>[1]

/** Whether the list of the records answers `query` without a search. The list of events knows `certeza`. */
export const isPlain = (query: Query, alvo: Search['alvo']): boolean =>
  query.texto === undefined &&
  query.atendido_por === undefined &&
  query.nota === undefined &&
  query.hora_de === undefined &&
  query.hora_ate === undefined &&
  (query.certeza === undefined || alvo === 'eventos')

/**
 * The hours of day of `query`; null: any.
 * @throws VigiaError `validacao` for one bound without the other, or two equal ones
 */
export function hoursOf({ hora_de, hora_ate }: Query): Search['hours'] {
  if (hora_de === undefined && hora_ate === undefined) return null
  if (hora_de === undefined || hora_ate === undefined || hora_de === hora_ate)
    throw invalid(['query', 'hora_ate'], 'Diga hora_de e hora_ate, diferentes.', 'hours_incomplete')
  return { de: hora_de, ate: hora_ate }
}

/**
 * Returns the ids of one page, newest first, and the cursor of the next one.
 * @param bounds ids of the records in question; null: there are none
 * @throws VigiaError `validacao` for a text without words, with too many, or with words that are too short
 */
export async function searchIds(
  db: Database,
  query: Query,
  search: Pick<Search, 'alvo' | 'empresas' | 'matches' | 'hours'>,
  bounds: Pick<Search, 'low' | 'high'> | null,
): Promise<{ readonly ids: readonly number[]; readonly proximo: string | null }> {
  const before = query.cursor === undefined ? Number.POSITIVE_INFINITY : readCursor(query.cursor)
  const wanted = wantedOf(query)
  const terms: (readonly number[])[] = []
  for (const one of wanted) terms.push(await listTerms(db, search.empresas, one))
  const short = wanted.find((one, i) => 'prefixo' in one && (terms[i]?.length ?? 0) > MAX_TERMOS)
  if (short && 'prefixo' in short)
    throw invalid(['query', 'texto'], `Escreva mais letras de "${short.prefixo}".`, 'word_too_short')
  if (bounds === null || terms.some((ids) => ids.length === 0)) return { ids: [], proximo: null }
  const inQuestion = { ...search, wanted, low: bounds.low, high: Math.min(bounds.high, before) }
  const { ids, rest } = await findRecords(db, inQuestion, terms, query.limit)
  return { ids, proximo: rest === null ? null : writeCursor(rest) }
}

function wantedOf({ texto, atendido_por, camera_id, tipo }: Query): Wanted[] {
  const words = texto === undefined ? [] : wordsOf(texto)
  if (texto !== undefined && words.length === 0)
    throw invalid(['query', 'texto'], 'Escreva pelo menos uma letra ou um número.', 'no_word')
  if (words.length > MAX_PALAVRAS)
    throw invalid(['query', 'texto'], `Use no máximo ${MAX_PALAVRAS} palavras.`, 'too_many_words')
  return [
    ...words.map((prefixo) => ({ prefixo })),
    ...(atendido_por === undefined ? [] : [{ termo: answererTerm(atendido_por) }]),
    // These two narrow the search to the postings of one camera or IA.
    ...(camera_id === undefined ? [] : [{ termo: cameraTerm(camera_id) }]),
    ...(tipo === undefined ? [] : [{ termo: tipoTerm(tipo) }]),
  ]
}

/** `indexado_desde` of an answer. */
export async function indexedSinceIso(db: Database): Promise<string | null> {
  const since = await indexedSince(db)
  return since === null ? null : new Date(since).toISOString()
}
