import type { Database } from '../../db/open.ts'
import { holdGroup, resumeGroup } from '../../db/work-queue/queue.ts'
import { backOff } from './back-off.ts'

/** Kinds of delivery work: for healthy destinations, and for failing or slow ones with separate slots. */
export const FAST = 'notificacao'
export const SLOW = 'notificacao_lenta'

/** Duration above which a destination counts as slow. */
const SLOW_MS = 2_000
/** Longest wait in ms of a new message to a failing destination. It bounds the delay after the recovery. */
const LONGEST_PAUSE_MS = 5 * 60_000

/** Failing or slow destinations with the earliest time of new messages. */
export async function slowDestinations(db: Database, destinos: readonly string[]): Promise<Map<string, number>> {
  if (destinos.length === 0) return new Map()
  const rows = await db
    .selectFrom('destinos_lentos')
    .select(['destino', 'pausado_ate'])
    .where('destino', 'in', destinos)
    .execute()
  return new Map(rows.map(({ destino, pausado_ate }) => [destino, pausado_ate]))
}

interface Behaviour {
  readonly ok: boolean
  readonly tookMs: number
  /** Pause that the destination asked for. */
  readonly waitMs?: number
  readonly now: number
}

/**
 * Stores the result of a destination in the transaction that ends the attempt. A failing destination is deferred with
 * all its waiting messages, so that they do not occupy slots.
 */
export async function recordBehaviour(
  tx: Database,
  destino: string,
  { ok, tookMs, waitMs = 0, now }: Behaviour,
): Promise<void> {
  if (ok && tookMs <= SLOW_MS) {
    const { numDeletedRows } = await tx
      .deleteFrom('destinos_lentos')
      .where('destino', '=', destino)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) await resumeGroup(tx, destino, FAST, now)
    return
  }
  const before = await tx
    .selectFrom('destinos_lentos')
    .select('falhas')
    .where('destino', '=', destino)
    .executeTakeFirst()
  const falhas = ok ? 0 : (before?.falhas ?? 0) + 1
  const pausado_ate = falhas === 0 ? now : now + Math.max(waitMs, backOff(falhas, Math.random(), LONGEST_PAUSE_MS))
  const noted = { falhas, pausado_ate, visto_em: now }
  await tx
    .insertInto('destinos_lentos')
    .values({ destino, ...noted })
    .onConflict((conflict) => conflict.column('destino').doUpdateSet(noted))
    .execute()
  await holdGroup(tx, destino, SLOW, pausado_ate)
}

export const forgetDestinations = async (db: Database, before: number): Promise<void> => {
  await db.deleteFrom('destinos_lentos').where('visto_em', '<', before).execute()
}
