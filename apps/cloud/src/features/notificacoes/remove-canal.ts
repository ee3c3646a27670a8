import { type Caller, requireWrite } from '../../http/caller.ts'
import type { NotificacoesDeps } from './deps.ts'
import { canalInScope } from './read-canal.ts'
import { deleteCanal } from './store.ts'

/** @throws VigiaError `proibido`, `nao_encontrado`. */
export async function removeCanal({ db }: NotificacoesDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  await db.transaction().execute(async (trx) => {
    await canalInScope(trx, caller, id)
    await deleteCanal(trx, id)
  })
}
