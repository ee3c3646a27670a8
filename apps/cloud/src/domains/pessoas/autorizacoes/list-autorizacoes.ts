import type { Autorizacao, AutorizacoesQuery } from '@vigia/contracts/autorizacoes'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { authorizationsInScope } from './authorizations-in-scope.ts'
import { authorizationsOf } from './store.ts'
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
): Promise<Page<Autorizacao>> {
  const filter = authorizationsInScope(caller, await narrowScope(db, caller, empresa_id))
  return readPage(authorizationsOf(db, clock.now(), filter), page, viewAutorizacao)
}
