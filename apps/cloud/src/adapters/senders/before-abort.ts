/**
 * Result of `task`, or a rejection when `signal` aborts first. The task itself continues, because name resolution
 * cannot be aborted.
 */
export function beforeAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([task, aborted])
}
