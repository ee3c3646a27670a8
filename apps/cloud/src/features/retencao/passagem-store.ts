import { listForDeletion } from '../../db/midias-a-apagar.ts'
import { deletePassages } from '../../db/passagens.ts'
import { transact } from '../../db/transaction.ts'
import type { Take } from './log-store.ts'
import { recordRemoved } from './store.ts'

/** Passages with their records and pictures. Their events stay, without the picture. */
export const takePassagens: Take = (db, { empresaId, before, now, limit }) =>
  transact(db, async (tx) => {
    const { times, files } = await deletePassages(tx, { empresaId, before, limit })
    if (times.length === 0) return 0
    await listForDeletion(tx, files)
    await recordRemoved(tx, { empresaId, tipo: 'passagens', times }, now)
    return times.length
  })
