/** Returns a function that runs tasks, at most `limit` at the same time and in the order of its calls. */
export function limitTasks(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = limit
  const waiting: (() => void)[] = []
  const take = (): Promise<void> | void => {
    if (free === 0) return new Promise((resolve) => waiting.push(resolve))
    free -= 1
  }
  const release = () => {
    const next = waiting.shift()
    // The slot passes to the next task, so that no later caller takes it first.
    if (next) next()
    else free += 1
  }
  return async (task) => {
    await take()
    try {
      return await task()
    } finally {
      release()
    }
  }
}
