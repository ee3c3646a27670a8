/**
 * Calls `probe` every `everyMs` until it returns a value other than undefined, null and false. Use it for states that
 * emit no event. Rejects after `timeoutMs` with `what` and the last error.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { timeoutMs = 90_000, everyMs = 100 }: { timeoutMs?: number; everyMs?: number } = {},
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
