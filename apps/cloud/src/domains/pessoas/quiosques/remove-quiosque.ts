import { auditQuiosque } from '../../../audit/audit-quiosque.ts'
import { lockRow } from '../../../db/locks.ts'
import { deleteQuiosque } from '../../../db/quiosques.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, inScope, notFound, requireWrite } from '../../../http/caller.ts'
import type { QuiosquesDeps } from './deps.ts'
import { findQuiosque } from './store.ts'

/** Ends a quiosque and its open streams at once. @throws VigiaError `proibido`, `nao_encontrado` */
export async function removeQuiosque(
  { db, clock, sessionEnded }: Pick<QuiosquesDeps, 'db' | 'clock' | 'sessionEnded'>,
  caller: Caller,
  id: number,
): Promise<void> {
  requireWrite(caller)
  await transact(db, async (tx) => {
    await lockRow(tx, 'quiosques', id)
    const row = await findQuiosque(tx, id)
    const removed = row && inScope(caller, row.empresa_id) && (await deleteQuiosque(tx, id))
    if (!removed) throw notFound('Quiosque não encontrado.')
    await auditQuiosque(tx, clock.now(), caller, { antes: removed, depois: null })
  })
  sessionEnded()
}
