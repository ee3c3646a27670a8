/** Runs `work` on several items at a time, and returns the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const running: Promise<Result>[] = []
  for (const item of items) {
    const result = work(item)
    // A failure is reported when its turn comes.
    result.catch(() => {})
    running.push(result)
    const first = running.length < atOnce ? undefined : running.shift()
    if (first !== undefined) yield await first
  }
  for (const result of running) yield await result
}
