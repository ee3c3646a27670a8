import type { Incidente } from '@vigia/contracts/incidentes'

interface KnownIncidente {
  readonly incidente: Incidente
  /** It arrived by the stream while this page was open. */
  readonly live: boolean
}
export type KnownIncidentes = ReadonlyMap<number, KnownIncidente>

/** The newest version of each incidente that the stream or an answer of the API delivered. */
export interface Incidentes {
  put(list: readonly Incidente[], source: 'stream' | 'api'): void
  /** A new object after each change. */
  all(): KnownIncidentes
  subscribe(listener: () => void): () => void
}

/** More than the queue shows. The page stays open for weeks, so that the least recently changed ones are dropped. */
const CAPACITY = 600

export function createIncidentes(): Incidentes {
  let known: KnownIncidentes = new Map()
  const listeners = new Set<() => void>()

  return {
    put(list, source) {
      const next = new Map(known)
      let isChanged = false
      for (const incidente of list) {
        const before = next.get(incidente.id)
        // Messages may overtake each other, and an answer of the API may be older than a message.
        if (before && before.incidente.versao >= incidente.versao) continue
        next.delete(incidente.id)
        next.set(incidente.id, { incidente, live: source === 'stream' || before?.live === true })
        isChanged = true
      }
      if (!isChanged) return
      for (const id of next.keys()) {
        if (next.size <= CAPACITY) break
        next.delete(id)
      }
      known = next
      for (const listener of listeners) listener()
    },
    all: () => known,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
