import { auditRevogacao } from '../../../audit/audit-autorizacao.ts'
import { revokeAuthorization } from '../../../db/autorizacoes.ts'
import { lockRow } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireWrite } from '../../../http/caller.ts'
import { authorizationsInScope } from './authorizations-in-scope.ts'
import type { AutorizacoesDeps } from './list-autorizacoes.ts'
import { findAuthorization } from './store.ts'

/**
 * Revokes an authorization at once. @throws VigiaError `proibido`; `nao_encontrado`: out of scope, missing or no longer
 * valid
 */
export async function takeBackAuthorization(
  { db, clock }: AutorizacoesDeps,
  caller: Caller,
  id: number,
): Promise<void> {
  requireWrite(caller)
  const now = clock.now()
  await transact(db, async (tx) => {
    await lockRow(tx, 'autorizacoes_oauth', id)
    const row = await findAuthorization(tx, now, authorizationsInScope(caller), id)
    if (!row) throw notFound('Acesso de agente não encontrado.')
    await revokeAuthorization(tx, id, now)
    await auditRevogacao(tx, now, caller, row, null)
  })
}
