import type { Pages } from '../db/list-page.ts'
import { cutPage, rowsOfPage } from './page-cursor.ts'
import { cursorPage } from './page-headers.ts'

/** Query of a list in pages (contracts, `camposPagina`), with its filters. */
interface PageQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** One page, newest first. */
export interface Page<Item> {
  readonly items: Item[]
  /** Items of all pages. */
  readonly total: number
  /** Cursor of the next page; null: this is the last page. */
  readonly proximo: string | null
}

/** Reads one page of a list. @throws VigiaError `validacao` for an unknown cursor */
export async function readPage<Row extends { readonly id: number }, Item>(
  { read, count }: Pages<Row>,
  query: PageQuery,
  view: (row: Row) => Item,
): Promise<Page<Item>> {
  const { shown, proximo } = cutPage(await read(rowsOfPage(query)), query.limit)
  return { items: shown.map((row) => view(row)), total: await count(), proximo }
}

/** The page with its `X-Total-Count` and `Link`. */
export const answerPage = <Item>(path: string, query: PageQuery, { items, total, proximo }: Page<Item>) => ({
  status: 200 as const,
  body: items,
  headers: cursorPage(path, { ...query }, total, proximo),
})
