import { type Caller, callerKey } from './caller.ts'
import { cutPage, readCursor } from './page-cursor.ts'
import { cursorPage } from './page-headers.ts'
import type { RowStream } from './row-stream.ts'
import { createTurns } from './turns.ts'

/** Rows that are read and shown at once; about 10 ms of processor time for cameras. */
export const CHUNK = 200
/** A page that names a cursor without a size. */
const PAGE = 50

/**
 * Turns of whole lists above one chunk: one at a time for each login or key. The others wait, so that a login holds
 * neither memory nor the thread.
 */
const wholeLists = createTurns({ atOnce: 1, waiting: 8, turnMs: 60_000 })

/** Rows of a list, ordered by id. */
export interface ListSource<Row extends { readonly id: number }, Item> {
  readonly path: string
  /** Rows of the list on all pages. */
  count(): Promise<number>
  /** @param after only rows with a higher id; null: from the first */
  read(after: number | null, limit: number): Promise<readonly Row[]>
  view(row: Row): Item
}

interface ListQuery {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  readonly empresa_id?: number | undefined
}

type ListAnswer<Item> =
  | { readonly status: 200; readonly body: Item[]; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status: 200; readonly rows: RowStream<Item> }

/**
 * Answers one page with its `Link` and `X-Total-Count`, or without `cursor` and `limit` the whole list. A whole list
 * above one chunk is read and sent in chunks.
 * @throws VigiaError `validacao` (unknown cursor), `muitas_requisicoes` (too many whole lists of this caller wait)
 */
export async function answerList<Row extends { readonly id: number }, Item>(
  caller: Caller,
  query: ListQuery,
  source: ListSource<Row, Item>,
): Promise<ListAnswer<Item>> {
  const { path, count, read, view } = source
  if (query.cursor !== undefined || query.limit !== undefined) {
    const limit = query.limit ?? PAGE
    const rows = await read(query.cursor === undefined ? null : readCursor(query.cursor), limit + 1)
    const { shown, proximo } = cutPage(rows, limit)
    return { status: 200, body: shown.map(view), headers: cursorPage(path, { ...query }, await count(), proximo) }
  }
  const first = await read(null, CHUNK + 1)
  if (first.length <= CHUNK) return { status: 200, body: first.map(view) }
  const finished = await takeTurn(caller)
  return { status: 200, rows: { chunks: readChunks(source), finished } }
}

async function* readChunks<Row extends { readonly id: number }, Item>({ read, view }: ListSource<Row, Item>) {
  let after: number | null = null
  for (;;) {
    const rows: readonly Row[] = await read(after, CHUNK)
    yield rows.map(view)
    const last = rows.at(-1)
    if (last === undefined || rows.length < CHUNK) return
    after = last.id
  }
}

/** Waits for the turn of the caller. @returns a function that ends it */
async function takeTurn(caller: Caller): Promise<() => void> {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  wholeLists
    .run(callerKey(caller), async () => {
      begun.resolve()
      await ended.promise
    })
    .catch(begun.reject)
  await begun.promise
  return () => ended.resolve()
}
