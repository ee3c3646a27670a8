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
