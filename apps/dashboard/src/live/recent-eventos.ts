import type { Evento } from '@vigia/contracts/eventos'

/** Number of stored events of the stream: as many as the page shows. */
const CAPACITY = 200

export interface RecentEventos {
  /** Stores the event; true if this is its first confirmed version. */
  add(evento: Evento, now: number): boolean
  /** Latest version of each event, oldest arrival first. */
  all(): readonly Evento[]
  /** Epoch ms of the first arrival by the stream; null: it did not arrive by the stream, or was dropped. */
  arrivedAt(id: number): number | null
}

/**
 * The latest events from the stream. They complete API answers that were requested before they arrived, so that no
 * shown event disappears. They also distinguish a replay after a reconnection from new events.
 */
export function createRecentEventos(): RecentEventos {
  const known = new Map<number, { evento: Evento; arrivedMs: number }>()
  return {
    add(evento, now) {
      const before = known.get(evento.id)
      const stale = before?.evento.veredito != null && evento.veredito === null
      if (!stale) {
        known.delete(evento.id)
        known.set(evento.id, { evento, arrivedMs: before?.arrivedMs ?? now })
      }
      const oldest = known.keys().next()
      if (known.size > CAPACITY && !oldest.done) known.delete(oldest.value)
      return evento.veredito?.decisao === 'confirmado' && before?.evento.veredito?.decisao !== 'confirmado'
    },
    all: () => [...known.values()].map((entry) => entry.evento),
    arrivedAt: (id) => known.get(id)?.arrivedMs ?? null,
  }
}
