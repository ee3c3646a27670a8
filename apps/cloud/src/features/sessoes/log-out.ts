import { tokenHash } from '../../adapters/bearer-token.ts'
import type { Clock } from '../../adapters/clock.ts'
import { auditSessao } from '../../audit/audit-sessao.ts'
import type { Database } from '../../db/open.ts'
import type { Caller } from '../../http/caller.ts'
import { deleteSession } from './store.ts'

export interface LogOutDeps {
  readonly db: Database
  readonly clock: Clock
  /** A session was ended: open streams authenticate again. */
  readonly sessionEnded: () => void
}

/** Ends the session of `token`. @param host host name of the request */
export async function logOut(
  { db, clock, sessionEnded }: LogOutDeps,
  caller: Caller,
  { token, host }: { readonly token: string; readonly host: string },
): Promise<void> {
  const hash = tokenHash(token) ?? ''
  await db.transaction().execute(async (tx) => {
    if (await deleteSession(tx, hash))
      await auditSessao(tx, clock.now(), caller, { acao: 'sair', empresaId: caller.empresaId, host })
  })
  sessionEnded()
}
