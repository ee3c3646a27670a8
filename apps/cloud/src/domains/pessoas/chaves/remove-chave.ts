import { auditChave } from '../../../audit/audit-chave.ts'
import { lockRow } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, inScope, notFound, requireWrite } from '../../../http/caller.ts'
import type { ChavesDeps } from './deps.ts'
import { deleteKey, findKey } from './store.ts'

/** Deletes a key and ends its open streams at once. @throws VigiaError `proibido`, `nao_encontrado` */
export async function removeChave({ db, clock, sessionEnded }: ChavesDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  await transact(db, async (tx) => {
    await lockRow(tx, 'chaves', id)
    const row = await findKey(tx, id)
    const removed = row && inScope(caller, row.empresa_id) && (await deleteKey(tx, id))
    if (!removed) throw notFound('Chave não encontrada.')
    await auditChave(tx, clock.now(), caller, { antes: removed, depois: null })
  })
  sessionEnded()
}
