import type { Lane, LaneName } from './lane.ts'
import type { SentItem } from './lanes.ts'

/** A batch that was sent and has records without an answer. */
export interface Flight {
  readonly name: LaneName
  readonly bytes: number
  /** Records without an answer, by id. */
  readonly pending: Map<string, Lane>
  timer: NodeJS.Timeout | null
}

/** The records in flight, by batch and by id; the cost of a query does not depend on their number. */
export interface Flights {
  /** Ids of all records in flight. */
  readonly ids: ReadonlySet<string>
  begin(name: LaneName, items: readonly SentItem[], bytes: number): Flight
  laneOf(id: string): Lane | null
  /** Called when a record was answered; returns its lane, or null if it is not in flight. */
  settle(id: string): Lane | null
  /** Forgets the records of one lane, which are about to be sent again. */
  forget(lane: Lane): void
  count(name: LaneName): number
  bytes(name: LaneName): number
  clear(): void
}

export function createFlights(): Flights {
  const byId = new Map<string, Flight>()
  const ids = new Set<string>()
  const all: Record<LaneName, Set<Flight>> = { live: new Set(), backfill: new Set() }
  const bytes: Record<LaneName, number> = { live: 0, backfill: 0 }

  function take(flight: Flight, id: string) {
    flight.pending.delete(id)
    byId.delete(id)
    ids.delete(id)
    if (flight.pending.size > 0) return
    if (flight.timer) clearTimeout(flight.timer)
    if (all[flight.name].delete(flight)) bytes[flight.name] -= flight.bytes
  }

  return {
    ids,
    begin(name, items, size) {
      const flight: Flight = {
        name,
        bytes: size,
        pending: new Map(items.map(({ id, lane }) => [id, lane])),
        timer: null,
      }
      for (const { id } of items) {
        byId.set(id, flight)
        ids.add(id)
      }
      all[name].add(flight)
      bytes[name] += size
      return flight
    },
    laneOf: (id) => byId.get(id)?.pending.get(id) ?? null,
    settle(id) {
      const flight = byId.get(id)
      const lane = flight?.pending.get(id)
      if (!flight || !lane) return null
      take(flight, id)
      return lane
    },
    forget(lane) {
      for (const flight of all[lane.name]) {
        for (const [id, of] of flight.pending) if (of === lane) take(flight, id)
      }
    },
    count: (name) => all[name].size,
    bytes: (name) => bytes[name],
    clear() {
      for (const { timer } of byId.values()) if (timer) clearTimeout(timer)
      byId.clear()
      ids.clear()
      for (const name of ['live', 'backfill'] as const) {
        all[name].clear()
        bytes[name] = 0
      }
    },
  }
}
