import { auditCanal } from '../../../audit/audit-canal.ts'
import { lockRow } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import type { NotificacoesDeps } from './deps.ts'
import { requireCanal } from './require-canal.ts'
import { deleteCanal } from './store.ts'
import { camerasBefore, endedOf } from './take-back.ts'

/** @throws VigiaError `proibido`, `nao_encontrado`. */
export async function removeCanal(
  { db, clock, takeBack }: NotificacoesDeps,
  caller: Caller,
  id: number,
): Promise<void> {
  requireWrite(caller)
  const ended = await transact(db, async (tx) => {
    await lockRow(tx, 'canais_notificacao', id)
    const before = await requireCanal(tx, caller, id)
    const cameras = await camerasBefore(tx, before)
    await deleteCanal(tx, id)
    await auditCanal(tx, clock.now(), caller, { antes: before, depois: null })
    return endedOf(tx, before, cameras)
  })
  for (const one of ended) takeBack?.(one)
}
