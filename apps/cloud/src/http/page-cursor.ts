import { invalid } from '@vigia/contracts/errors'
import type { PageRows } from '../db/list-page.ts'

/** Cursor of the next page: the id of the last record shown, opaque to the client. */
export const writeCursor = (id: number): string => Buffer.from(`v1:${id}`).toString('base64url')

/** @throws VigiaError `validacao` for any text that `writeCursor` did not make. */
export function readCursor(cursor: string): number {
  const id = /^v1:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (id === undefined) throw unknownCursor()
  return Number(id)
}

/** Position in a list in order of time, the newest first, and of ids at the same time. */
export interface TimePosition {
  /** Epoch ms. */
  readonly em: number
  readonly id: number
}

export const writeTimeCursor = ({ em, id }: TimePosition): string => Buffer.from(`v2:${em}:${id}`).toString('base64url')

/** @throws VigiaError `validacao` for any text that `writeTimeCursor` did not make. */
export function readTimeCursor(cursor: string): TimePosition {
  const [, em, id] = /^v2:(\d{1,16}):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (em === undefined || id === undefined) throw unknownCursor()
  return { em: Number(em), id: Number(id) }
}

const unknownCursor = () =>
  invalid(['query', 'cursor'], 'Cursor desconhecido. Use o que veio na página anterior.', 'cursor_invalid')

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
