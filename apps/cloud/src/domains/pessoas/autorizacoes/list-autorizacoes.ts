import type { Autorizacao, AutorizacoesQuery } from '@vigia/contracts/autorizacoes'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { authorizationsInScope } from './authorizations-in-scope.ts'
import { countAuthorizations, listAuthorizations } from './store.ts'
import { viewAutorizacao } from './view-autorizacao.ts'

export interface AutorizacoesDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * One page of the valid authorizations, newest first, with their total.
 * @throws VigiaError `nao_encontrado` (Empresa out of scope)
 */
export async function listVisibleAuthorizations(
  { db, clock }: AutorizacoesDeps,
  caller: Caller,
  { empresa_id, ...page }: AutorizacoesQuery,
): Promise<{ readonly autorizacoes: Autorizacao[]; readonly total: number; readonly proximo: string | null }> {
  const filter = authorizationsInScope(caller, await narrowScope(db, caller, empresa_id))
  const now = clock.now()
  const { shown, proximo } = cutPage(await listAuthorizations(db, now, filter, rowsOfPage(page)), page.limit)
  return { autorizacoes: shown.map(viewAutorizacao), total: await countAuthorizations(db, now, filter), proximo }
}
