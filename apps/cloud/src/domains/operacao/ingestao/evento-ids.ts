import type { IdBudget } from './id-budget.ts'
import type { Reserved } from './sequence.ts'

/**
 * Limit of event ids reserved for one camera of one edge: a week of outage with an event every minute. The oldest
 * events of a longer backlog get their ids on arrival, above the live events that overtook them. Live events never wait
 * for ids.
 */
const MAX_RESERVED_PER_CAMERA = 10_000

export type EventoIds = ReturnType<typeof createEventoIds>

/** The event ids of a batch, above `last`: given to events, or reserved for overtaken records. */
export function createEventoIds(ids: IdBudget, last: number) {
  let ultimoId = last
  return {
    highest: () => ultimoId,
    /** Id of an event: the one reserved for its number, else the next one. */
    take(empresaId: number, reservado: number | null): number {
      if (reservado === null) ultimoId += 1
      else ids.giveBack(empresaId)
      return reservado ?? ultimoId
    },
    /** Reserves up to `n` ids for a camera that has `before` reserved ones. */
    reserveFor:
      (empresaId: number) =>
      (n: number, before: number): Reserved => {
        const count = ids.take(empresaId, Math.min(n, Math.max(0, MAX_RESERVED_PER_CAMERA - before)))
        ultimoId += count
        return { first: ultimoId - count + 1, count }
      },
  }
}
