import type { Clock } from '../../../adapters/clock.ts'
import { auditQuiosque } from '../../../audit/audit-quiosque.ts'
import { auditSessao } from '../../../audit/audit-sessao.ts'
import type { Database } from '../../../db/open.ts'
import { deleteQuiosque } from '../../../db/quiosques.ts'
import { transact } from '../../../db/transaction.ts'
import type { Caller } from '../../../http/caller.ts'
import { deleteSession } from './store.ts'

export interface LogOutDeps {
  readonly db: Database
  readonly clock: Clock
  /** A session was ended: open streams authenticate again. */
  readonly sessionEnded: () => void
}

/** Ends the session of the caller, with all its tokens. @param host host name of the request */
export async function logOut({ db, clock, sessionEnded }: LogOutDeps, caller: Caller, host: string): Promise<void> {
  await transact(db, (tx) => endSession(tx, clock.now(), caller, host))
  sessionEnded()
}

/** The same in the caller's transaction. A quiosque has one session, so it ends with it. false: it had ended before. */
export async function endSession(tx: Database, now: number, caller: Caller, host: string): Promise<boolean> {
  const { sessao, quiosque, empresaId } = caller
  if (quiosque) {
    const removed = await deleteQuiosque(tx, quiosque.id)
    if (removed) await auditQuiosque(tx, now, caller, { antes: removed, depois: null })
    return removed !== undefined
  }
  if (!sessao || !(await deleteSession(tx, sessao.id))) return false
  await auditSessao(tx, now, caller, { id: sessao.id, acao: 'sair', empresaId, host })
  return true
}
