import { auditCanal } from '../../../audit/audit-canal.ts'
import { lockRow } from '../../../db/locks.ts'
import { camerasOfCanal } from '../../../db/mqtt-canais.ts'
import { orderTakeBack } from '../../../db/recolhimentos.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import type { NotificacoesDeps } from './deps.ts'
import { requireCanal } from './require-canal.ts'
import { deleteCanal } from './store.ts'

/** @throws VigiaError `proibido`, `nao_encontrado`. */
export async function removeCanal({ db, clock }: NotificacoesDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  await transact(db, async (tx) => {
    await lockRow(tx, 'canais_notificacao', id)
    const before = await requireCanal(tx, caller, id)
    const cameras = await camerasOfCanal(tx, before)
    const now = clock.now()
    await deleteCanal(tx, id)
    await auditCanal(tx, now, caller, { antes: before, depois: null })
    await orderTakeBack(tx, [{ canal: before, cameras }], now)
  })
}
