import type { Quiosque, QuiosquesQuery } from '@vigia/contracts/quiosques'
import { type Caller, requireLogin, requireWrite } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import type { QuiosquesDeps } from './deps.ts'
import { quiosquesOf } from './store.ts'
import { viewQuiosque } from './view-quiosque.ts'

/**
 * One page of the quiosques in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of
 * scope)
 */
export async function listVisibleQuiosques(
  { db, clock }: Pick<QuiosquesDeps, 'db' | 'clock'>,
  caller: Caller,
  { empresa_id, meus, ...page }: QuiosquesQuery,
): Promise<Page<Quiosque>> {
  requireWrite(caller)
  const which = {
    empresas: await narrowScope(db, caller, empresa_id),
    usuarioId: meus === undefined ? null : requireLogin(caller),
  }
  return readPage(quiosquesOf(db, which, clock.now()), page, viewQuiosque)
}
