import { invalid } from '@vigia/contracts/errors'

/** What the next page begins behind: the id of the last record shown, opaque to the client. */
export const writeCursor = (id: number): string => Buffer.from(`v1:${id}`).toString('base64url')

/** @throws VigiaError `validacao` for what `writeCursor` has not made. */
export function readCursor(cursor: string): number {
  const id = /^v1:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (id === undefined)
    throw invalid(['query', 'cursor'], 'Cursor desconhecido. Use o que veio na página anterior.', 'cursor_invalid')
  return Number(id)
}

/** What a store is asked for. */
export interface PageRows {
  /** Only rows with a lower id; null: from the newest on. */
  readonly before: number | null
  readonly limit: number
  readonly offset: number
}

/** One row more than is shown: it tells whether there is a next page. @throws VigiaError `validacao` for an unknown cursor. */
export const rowsOfPage = (query: {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly offset: number
}): PageRows => ({
  before: query.cursor === undefined ? null : readCursor(query.cursor),
  limit: query.limit + 1,
  offset: query.offset,
})

/** The rows to show, and the cursor of the next page; null: this is the last. */
export function cutPage<Row extends { readonly id: number }>(
  rows: readonly Row[],
  limit: number,
): { readonly shown: readonly Row[]; readonly proximo: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, proximo: last !== undefined && rows.length > limit ? writeCursor(last.id) : null }
}
