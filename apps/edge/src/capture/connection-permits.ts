/** Leave to open a connection: at most a few attempts at once reach one recorder, whichever process they come from. */
export interface ConnectionPermits {
  /** Resolves with the way to give it back (idempotent); null when `signal` aborts first. */
  acquire(host: string, signal: AbortSignal): Promise<(() => void) | null>
}

/** The capture process's end: asks the main process, which sees all of them. */
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
        // Also takes back a request that still waits in the main process.
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

/** Host of a stream's address, for counting connections; the text itself when it is no URL. */
export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ''
