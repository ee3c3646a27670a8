import { VigiaError } from '@vigia/contracts/errors'

/** Failed tries of one name from one network before it has to wait, and the window in which they count. */
const TRIES = 10
const WINDOW_MS = 5 * 60_000
/** Pairs remembered; the oldest is forgotten beyond that, so that a flood of names cannot fill the memory. */
const REMEMBERED = 20_000

export interface LoginLimit {
  /**
   * Runs `task`, which checks a credential; when it throws `nao_autenticado`, that is a failed try of `name`.
   * @throws VigiaError `muitas_requisicoes` after too many; what `task` throws.
   */
  guard<T>(name: string, address: string, task: () => Promise<T>): Promise<T>
}

/**
 * Slows down guessing. It counts failures per name and address together: whoever guesses a name from one place locks
 * nobody out at another. In the memory of this process.
 * @param now monotonic milliseconds
 */
export function createLoginLimit(now: () => number = () => performance.now()): LoginLimit {
  const windows = new Map<string, { failures: number; endsAt: number }>()

  const current = (key: string) => {
    const window = windows.get(key)
    return window && window.endsAt > now() ? window : { failures: 0, endsAt: now() + WINDOW_MS }
  }
  const requireFree = (key: string) => {
    const { failures, endsAt } = current(key)
    if (failures >= TRIES)
      throw new VigiaError('muitas_requisicoes', {
        detalhe: 'Muitas tentativas seguidas. Aguarde alguns minutos e tente outra vez.',
        tentarEmS: (endsAt - now()) / 1000,
      })
  }
  const countFailure = (key: string) => {
    const { failures, endsAt } = current(key)
    // Deleted first: a Map keeps the order of insertion, and its first entry is then the one unused for longest.
    windows.delete(key)
    windows.set(key, { failures: failures + 1, endsAt })
    const oldest = windows.keys().next()
    if (windows.size > REMEMBERED && !oldest.done) windows.delete(oldest.value)
  }

  return {
    async guard(name, address, task) {
      const key = `${network(address)} ${name}`
      requireFree(key)
      try {
        const result = await task()
        // Again: a burst of guesses sent at once passed the first check together; past the limit, none learns its result.
        requireFree(key)
        windows.delete(key)
        return result
      } catch (error) {
        if (!(error instanceof VigiaError) || error.code !== 'nao_autenticado') throw error
        requireFree(key)
        countFailure(key)
        throw error
      }
    },
  }
}

/** One IPv6 customer holds a whole /64: its addresses count as one. */
function network(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':')
}
