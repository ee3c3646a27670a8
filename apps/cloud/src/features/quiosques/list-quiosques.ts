import type { Quiosque, QuiosquesQuery } from '@vigia/contracts/quiosques'
import { type Caller, requireWrite } from '../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../http/page-cursor.ts'
import { narrowScope } from '../../scope/narrow-scope.ts'
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
  { empresa_id, ...page }: QuiosquesQuery,
): Promise<{ readonly quiosques: Quiosque[]; readonly total: number; readonly proximo: string | null }> {
  requireWrite(caller)
  const empresas = await narrowScope(db, caller, empresa_id)
  const now = clock.now()
  const { shown, proximo } = cutPage(await listQuiosques(db, empresas, now, rowsOfPage(page)), page.limit)
  return { quiosques: shown.map(viewQuiosque), total: await countQuiosques(db, empresas, now), proximo }
}
