import { invalid } from '@vigia/contracts/errors'

/** Cursor of the next page: the id of the last record shown, opaque to the client. */
export const writeCursor = (id: number): string => Buffer.from(`v1:${id}`).toString('base64url')

/** @throws VigiaError `validacao` for any text that `writeCursor` did not make. */
export function readCursor(cursor: string): number {
  const id = /^v1:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (id === undefined)
    throw invalid(['query', 'cursor'], 'Cursor desconhecido. Use o que veio na página anterior.', 'cursor_invalid')
  return Number(id)
}

/** Part of a list that a store returns. */
export interface PageRows {
  /** Only rows with a lower id; null: starts with the newest. */
  readonly before: number | null
  readonly limit: number
  readonly offset: number
}

/**
 * Asks for one row more than the page shows, to detect a next page. @throws VigiaError `validacao` for an unknown
 * cursor.
 */
export const rowsOfPage = (query: {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly offset: number
}): PageRows => ({
  before: query.cursor === undefined ? null : readCursor(query.cursor),
  limit: query.limit + 1,
  offset: query.offset,
})

/** The rows of the page and the cursor of the next one; null: this is the last page. */
export function cutPage<Row extends { readonly id: number }>(
  rows: readonly Row[],
  limit: number,
): { readonly shown: readonly Row[]; readonly proximo: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, proximo: last !== undefined && rows.length > limit ? writeCursor(last.id) : null }
}
