import { setImmediate } from 'node:timers/promises'

/** A whole list as an answer: its items are read, shown and sent in chunks. */
export interface RowStream<Item> {
  readonly chunks: AsyncGenerator<readonly Item[], void, void>
  /** Gives back the slot of the list. Called when the list ends for any reason, possibly more than once. */
  finished(): void
}

/** One JSON array as text. Other requests run between two chunks. */
export async function* writeRows(
  { chunks }: RowStream<unknown>,
  json: (item: unknown) => string = JSON.stringify,
): AsyncGenerator<string, void, void> {
  let before = '['
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    yield before + chunk.map((item) => json(item)).join(',')
    before = ','
    await setImmediate()
  }
  yield before === '[' ? '[]' : ']'
}

/** All items, for a caller inside of this process. */
export async function collectRows(stream: RowStream<unknown>): Promise<unknown[]> {
  const items: unknown[] = []
  try {
    for await (const chunk of stream.chunks) {
      items.push(...chunk)
      await setImmediate()
    }
    return items
  } finally {
    stream.finished()
  }
}
