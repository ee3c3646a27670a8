import type { Evento } from '@vigia/contracts/eventos'

/** How many events of the stream are remembered: as many as the page shows. */
const CAPACITY = 200

export interface RecentEvents {
  /** Remembers it; true when this is the first time that it is known to be confirmed. */
  add(evento: Evento, nowMs: number): boolean
  /** Latest version of each, oldest arrival first. */
  all(): readonly Evento[]
  /** Epoch ms when the stream first brought it; null: it did not, or long ago. */
  arrivedAt(id: number): number | null
}

/**
 * What the stream brought lately. An answer of the API that was on its way meanwhile is completed with it, so that nothing
 * that was shown disappears again; and a replay after a reconnection is told from news.
 */
export function createRecentEvents(): RecentEvents {
  const known = new Map<number, { evento: Evento; arrivedMs: number }>()
  return {
    add(evento, nowMs) {
      const before = known.get(evento.id)
      const stale = before?.evento.veredito != null && evento.veredito === null
      if (!stale) {
        known.delete(evento.id)
        known.set(evento.id, { evento, arrivedMs: before?.arrivedMs ?? nowMs })
      }
      const oldest = known.keys().next()
      if (known.size > CAPACITY && !oldest.done) known.delete(oldest.value)
      return evento.veredito?.decisao === 'confirmado' && before?.evento.veredito?.decisao !== 'confirmado'
    },
    all: () => [...known.values()].map((entry) => entry.evento),
    arrivedAt: (id) => known.get(id)?.arrivedMs ?? null,
  }
}
