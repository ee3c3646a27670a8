/** Concurrent writes, enough for a disk to combine several of them, and for a server to hide its latency. */
const WRITERS = 16

/** Runs `write` for each item, several at a time. Rejects with the first failure, after all writes have ended. */
export async function runWriters<Item>(items: Iterable<Item>, write: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const writer = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await write(item)
  }
  const work = Array.from({ length: Math.min(WRITERS, left.length) }, writer)
  await Promise.allSettled(work)
  await Promise.all(work)
}
