import type { Database } from '../../db/open.ts'
import { holdGroup, resumeGroup } from '../../db/work-queue/queue.ts'
import { backOff } from './back-off.ts'

/** The kinds of work that deliver: to destinations that answer, and to those that fail or are slow, which have slots of their own. */
export const FAST = 'notificacao'
export const SLOW = 'notificacao_lenta'

/** A destination that took longer than this is a slow one, ms. */
const SLOW_MS = 2_000
/** New messages to a destination that fails wait this long at most, ms: when it is back, they are soon there. */
const LONGEST_PAUSE_MS = 5 * 60_000

/** Destinations that fail or are slow, with the time before which nothing new is sent there. */
export async function slowDestinations(db: Database, destinos: readonly string[]): Promise<Map<string, number>> {
  if (destinos.length === 0) return new Map()
  const rows = await db
    .selectFrom('destinos_lentos')
    .select(['destino', 'pausado_ate'])
    .where('destino', 'in', destinos)
    .execute()
  return new Map(rows.map(({ destino, pausado_ate }) => [destino, pausado_ate]))
}

/**
 * Notes how a destination behaved, in the transaction that ends the try. One that fails is left alone for a while with all that waits for
 * it, so that it does not cost a slot for each of its messages.
 */
export async function recordBehaviour(
  tx: Database,
  destino: string,
  { ok, tookMs, now }: { readonly ok: boolean; readonly tookMs: number; readonly now: number },
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
  const pausado_ate = falhas === 0 ? now : now + backOff(falhas, Math.random(), LONGEST_PAUSE_MS)
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
