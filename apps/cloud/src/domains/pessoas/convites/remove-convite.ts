import { auditConvite } from '../../../audit/audit-convite.ts'
import { lockRow } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, inScope, notFound, requireWrite } from '../../../http/caller.ts'
import type { ConvitesDeps } from './deps.ts'
import { deleteConvite, findConvite } from './store.ts'

/** Revokes an invitation at once. @throws VigiaError `proibido`, `nao_encontrado` (also accepted or expired) */
export async function removeConvite(
  { db, clock }: Pick<ConvitesDeps, 'db' | 'clock'>,
  caller: Caller,
  id: number,
): Promise<void> {
  requireWrite(caller)
  await transact(db, async (tx) => {
    await lockRow(tx, 'convites', id)
    const row = await findConvite(tx, id)
    const removed = row && inScope(caller, row.empresa_id) && (await deleteConvite(tx, id))
    if (!removed) throw notFound('Convite não encontrado.')
    await auditConvite(tx, clock.now(), caller, { antes: removed, depois: null })
  })
}
