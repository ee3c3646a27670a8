import { isIPv6 } from 'node:net'

export interface HandshakeLimits {
  /** Connections of one address (IPv6: of one /64) that have not proved who they are, those that failed within `memoryMs` included. */
  readonly perAddress: number
  /** The same of all addresses together. */
  readonly total: number
  /** How long one that failed still counts, ms. */
  readonly memoryMs: number
}

export const DEFAULT_HANDSHAKES: HandshakeLimits = { perAddress: 64, total: 1024, memoryMs: 10_000 }

/** One connection on its way in. Both may be said more than once. */
export interface Entrant {
  /** It was let in: it counts no more, however often it comes back. */
  admitted(): void
  closed(): void
}

/**
 * Bounds what strangers cost. Everybody who reaches the port can open connections and begin handshakes; without a bound for each
 * address one machine could take every connection of the broker, or all of its processor, from the edges.
 */
export interface HandshakeGate {
  /** null: too many from there already. */
  enter(address: string): Entrant | null
}

export function createHandshakeGate({ perAddress, total, memoryMs }: HandshakeLimits): HandshakeGate {
  const strangers = new Map<string, number>()
  let all = 0

  function count(source: string, by: 1 | -1): void {
    const left = (strangers.get(source) ?? 0) + by
    all += by
    if (left === 0) strangers.delete(source)
    else strangers.set(source, left)
  }

  return {
    enter: (address) => {
      const source = sourceOf(address)
      if (all >= total || (strangers.get(source) ?? 0) >= perAddress) return null
      count(source, 1)
      let counted = true
      const forget = () => {
        if (counted) count(source, -1)
        counted = false
      }
      return { admitted: forget, closed: () => void setTimeout(forget, memoryMs).unref() }
    },
  }
}

/** A whole /64 belongs to one subscriber, who would otherwise have 2^64 addresses to come from. */
function sourceOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  if (tail === undefined) return [...head].slice(0, 4).join(':')
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4).join(':')
}
