import type { RepetirPendencias } from '@vigia/contracts/pendencias'
import type { Clock } from '../../../adapters/clock.ts'
import { auditPendencia } from '../../../audit/audit-pendencia.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { reviveWork } from '../../../db/work-queue/queue.ts'
import { type Caller, requireWrite, scopeIds } from '../../../http/caller.ts'
import { lockStopped, readSubjects, reopenDelivery, tipoOf } from './store.ts'
import { viewPendencia } from './view-pendencia.ts'

export interface PendenciasDeps {
  readonly db: Database
  readonly clock: Clock
  /** Call it when there is new work. */
  readonly wake: () => void
}

/**
 * Retries stopped work as if it were new; a notification gets its full retry time again. Skips ids that are out of
 * scope or no longer stopped. @returns the retried ids @throws VigiaError `proibido`
 */
export async function retryPendencias(
  { db, clock, wake }: PendenciasDeps,
  caller: Caller,
  { ids }: RepetirPendencias,
): Promise<number[]> {
  requireWrite(caller)
  const retried = await transact(db, async (tx) => {
    const now = clock.now()
    const rows = await lockStopped(tx, ids, scopeIds(caller))
    const subjects = await readSubjects(tx, rows)
    const done: number[] = []
    for (const row of rows) {
      if (!(await reviveWork(tx, row.id, now))) continue
      if (tipoOf(row.tipo) === 'notificacao') await reopenDelivery(tx, Number(row.chave))
      await auditPendencia(tx, now, caller, { acao: 'repetir', antes: null, depois: viewPendencia(row, subjects) })
      done.push(row.id)
    }
    return done
  })
  if (retried.length > 0) wake()
  return retried
}
