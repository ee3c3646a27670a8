/** Permission to open a connection: limits simultaneous attempts to one recorder over all processes. */
export interface ConnectionPermits {
  /** Resolves with an idempotent release function; null when `signal` aborts first. */
  acquire(host: string, signal: AbortSignal): Promise<(() => void) | null>
}

/** Client in the capture process: requests permits from the main process, which counts them over all processes. */
export function createConnectionPermits(channel: {
  request(ticket: number, host: string): void
  release(ticket: number): void
}): ConnectionPermits & { granted(ticket: number): void } {
  const waiting = new Map<number, () => void>()
  let nextTicket = 1
  return {
    async acquire(host, signal) {
      if (signal.aborted) return null
      const ticket = nextTicket++
      let released = false
      const release = () => {
        if (released) return
        released = true
        channel.release(ticket)
      }
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
      const giveUp = () => {
        // Also withdraws a request that still waits in the main process.
        waiting.delete(ticket)
        release()
        resolve(null)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.set(ticket, () => {
        signal.removeEventListener('abort', giveUp)
        resolve(release)
      })
      channel.request(ticket, host)
      return promise
    },
    granted(ticket) {
      const go = waiting.get(ticket)
      waiting.delete(ticket)
      if (go) go()
    },
  }
}

/** Host of a stream address, for counting connections; the unchanged text if it is no URL. */
export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ''
