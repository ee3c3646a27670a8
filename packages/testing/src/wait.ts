/**
 * Waits until `probe` gives a value that is neither undefined, null nor false, asking every `everyMs`; for states that have no
 * event to wait on. Fails after `timeoutMs` with `what` and the last thing that went wrong.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { timeoutMs = 30_000, everyMs = 100 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  let last: unknown
  while (performance.now() < deadline) {
    try {
      const value = await probe()
      if (value !== undefined && value !== null && value !== false) return value
      last = undefined
    } catch (error) {
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`, { cause: last })
}
