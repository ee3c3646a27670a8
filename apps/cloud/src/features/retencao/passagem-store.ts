import { passagesOf, takePassages } from '../../db/passagens.ts'
import { transact } from '../../db/transaction.ts'
import type { Take } from './log-store.ts'
import { recordRemoved } from './store.ts'

/** Passages with their records and pictures, except those of preserved events. Their events stay, without the picture. */
export const takePassagens: Take = async (db, { empresaId, before, now, limit }) => {
  const old = await passagesOf(db, empresaId, now)
    .select('id')
    .where('recebida_em', '<', before)
    .orderBy('recebida_em')
    .limit(limit)
    .execute()
  return transact(db, async (tx) => {
    const { times } = await takePassages(
      tx,
      old.map(({ id }) => id),
      now,
    )
    await recordRemoved(tx, { empresaId, tipo: 'passagens', times }, now)
    return times.length
  })
}
