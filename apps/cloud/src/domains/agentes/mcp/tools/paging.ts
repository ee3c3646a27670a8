import { createHash } from 'node:crypto'
import { invalid } from '@vigia/contracts/errors'
import { z } from 'zod'
import type { ToolContext } from '../tool.ts'

/** Input fields of every list. */
export const paginaEntrada = {
  limite: z.int().min(1).max(200).default(50).describe('De 1 a 200.'),
  cursor: z.string().max(500).optional().describe('`proximo` anterior.'),
}

/** Output fields of every list, in addition to its items. */
export const paginaSaida = {
  total: z.int().describe('Quantos itens há ao todo com estes filtros, em todas as páginas.'),
  proximo: z
    .string()
    .nullable()
    .describe('Mande como `cursor`, com os mesmos filtros, para a página seguinte. null: esta é a última.'),
}

/** Input of every list tool; its filters are further fields. */
interface Entrada {
  readonly limite: number
  readonly cursor?: string | undefined
}

/** Start of a page, as a query parameter of the route. */
interface Posicao {
  readonly por: 'cursor' | 'offset'
  readonly em: string
}

interface Pager {
  /** Position in the cursor of `entrada`; null: the beginning. */
  readonly start: Posicao | null
  /** A cursor that is valid only for this list with these filters. */
  cursorAt(posicao: Posicao): string
}

/**
 * @param lista name of the list
 * @throws VigiaError `validacao` for a cursor of another list or of other filters
 */
function pager(lista: string, { limite: _, cursor, ...filtros }: Entrada): Pager {
  const known = Object.entries(filtros).filter(([, value]) => value !== undefined)
  const selo = createHash('sha256')
    .update(JSON.stringify([lista, known.sort()]))
    .digest('base64url')
    .slice(0, 12)
  return {
    start: cursor === undefined ? null : readCursor(cursor, selo),
    cursorAt: (posicao) => Buffer.from(JSON.stringify({ ...posicao, selo })).toString('base64url'),
  }
}

const posicaoSchema = z.discriminatedUnion('por', [
  z.strictObject({ por: z.literal('offset'), em: z.string().regex(/^\d{1,9}$/), selo: z.string() }),
  z.strictObject({ por: z.literal('cursor'), em: z.string().regex(/^[\w-]{1,200}$/), selo: z.string() }),
])

function readCursor(cursor: string, selo: string): Posicao {
  const { data } = posicaoSchema.safeParse(parse(Buffer.from(cursor, 'base64url').toString()))
  if (data?.selo === selo) return data
  throw invalid(
    ['query', 'cursor'],
    'Este cursor não é desta lista com estes filtros. Repita os filtros da página anterior, ou comece sem cursor.',
    'cursor_invalid',
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface Page<T> {
  readonly itens: readonly T[]
  readonly total: number
  readonly proximo: string | null
}

/** One page of a list that its route returns completely. */
export function cutPage<T>(lista: string, all: readonly T[], entrada: Entrada): Page<T> {
  const { start, cursorAt } = pager(lista, entrada)
  const offset = Number(start?.em ?? 0)
  const end = offset + entrada.limite
  return {
    itens: all.slice(offset, end),
    total: all.length,
    proximo: end < all.length ? cursorAt({ por: 'offset', em: String(end) }) : null,
  }
}

/** One page of a list that its route pages; the filters are the query of the route. */
export async function askPage<T>(operacao: string, entrada: Entrada, ctx: ToolContext): Promise<Page<T>> {
  const { limite, cursor: _, ...filtros } = entrada
  const { start, cursorAt } = pager(operacao, entrada)
  const query = queryOf({ ...filtros, limit: limite, ...(start && { [start.por]: start.em }) })
  const { body, headers } = await ctx.answer(operacao, { query })
  const [, por, em] = /[?&](cursor|offset)=([\w-]+)/.exec(headers.link ?? '') ?? []
  return {
    itens: body as T[],
    total: Number(headers['x-total-count']),
    proximo: em === undefined ? null : cursorAt({ por: por as Posicao['por'], em }),
  }
}

/** Filters as query parameters, without undefined ones. */
export const queryOf = (filtros: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filtros).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
