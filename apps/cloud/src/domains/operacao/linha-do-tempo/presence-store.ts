import { type Due, isDue } from '../../../db/due.ts'
import { lockName } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'

/** Scope of a watching person. */
export interface Watched {
  readonly empresaId: number | null
  readonly abaixo: 0 | 1
}

/**
 * Continues the newest row of this scope that ended after `since`, or inserts one.
 * @returns its id
 */
export const beginPresence = (db: Database, { empresaId, abaixo }: Watched, since: number, now: number) =>
  transact(db, async (tx) => {
    await lockName(tx, 'presencas')
    const known = await tx
      .selectFrom('presencas')
      .select('id')
      .where('empresa_id', empresaId === null ? 'is' : '=', empresaId)
      .where('abaixo', '=', abaixo)
      .where('fim', '>=', since)
      .orderBy('fim', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (known) {
      await tx.updateTable('presencas').set({ fim: now }).where('id', '=', known.id).where('fim', '<', now).execute()
      return known.id
    }
    const row = { empresa_id: empresaId, abaixo, inicio: now, fim: now }
    return (await tx.insertInto('presencas').values(row).returning('id').executeTakeFirstOrThrow()).id
  })

/** Extends rows up to `now`; a clock that was set back changes nothing. */
export async function extendPresences(db: Database, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('presencas').set({ fim: now }).where('id', 'in', ids).where('fim', '<', now).execute()
}

export const dropPresences = async (db: Database, due: Due): Promise<void> => {
  await db.deleteFrom('presencas').where(isDue('fim', due)).execute()
}
