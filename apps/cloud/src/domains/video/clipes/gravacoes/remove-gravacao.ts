import type { Clock } from '../../../../adapters/clock.ts'
import { auditGravacao } from '../../../../audit/audit-gravacao.ts'
import { lockRow } from '../../../../db/locks.ts'
import { transact } from '../../../../db/transaction.ts'
import { type Caller, requireWork } from '../../../../http/caller.ts'
import { type DiscardDeps, discardFiles } from '../../../eventos/public.ts'
import type { AskEdge } from '../../../locais/public.ts'
import { requireGravacao } from './require-gravacao.ts'
import { deleteGravacao } from './store.ts'

export interface RemoveDeps extends DiscardDeps {
  readonly clock: Clock
  readonly askEdge: AskEdge
}

/**
 * Removes a recording, ends its fetch on the edge, and deletes its file unless it is also the clip of an event.
 * @throws VigiaError `proibido`, `nao_encontrado`
 */
export async function removeGravacao(deps: RemoveDeps, caller: Caller, id: number): Promise<void> {
  requireWork(caller)
  const now = deps.clock.now()
  const files = await transact(deps.db, async (tx) => {
    await lockRow(tx, 'gravacoes', id)
    const row = await requireGravacao(tx, caller, id)
    await auditGravacao(tx, now, caller, { antes: row, depois: null })
    return deleteGravacao(tx, id, now)
  })
  await discardFiles(deps, files)
}
