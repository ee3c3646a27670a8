import type { Quiosque, QuiosquesQuery } from '@vigia/contracts/quiosques'
import { type Caller, requireLogin, requireWrite } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import type { QuiosquesDeps } from './deps.ts'
import { countQuiosques, listQuiosques } from './store.ts'
import { viewQuiosque } from './view-quiosque.ts'

/**
 * One page of the quiosques in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of
 * scope)
 */
export async function listVisibleQuiosques(
  { db, clock }: Pick<QuiosquesDeps, 'db' | 'clock'>,
  caller: Caller,
  { empresa_id, meus, ...page }: QuiosquesQuery,
): Promise<{ readonly quiosques: Quiosque[]; readonly total: number; readonly proximo: string | null }> {
  requireWrite(caller)
  const which = {
    empresas: await narrowScope(db, caller, empresa_id),
    usuarioId: meus === undefined ? null : requireLogin(caller),
  }
  const now = clock.now()
  const { shown, proximo } = cutPage(await listQuiosques(db, which, now, rowsOfPage(page)), page.limit)
  return { quiosques: shown.map(viewQuiosque), total: await countQuiosques(db, which, now), proximo }
}
