import type { Chave, ChavesQuery } from '@vigia/contracts/chaves'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { countKeys, listKeys } from './store.ts'
import { viewChave } from './view-chave.ts'

/**
 * One page of the keys in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope)
 */
export async function listVisibleKeys(
  { db }: { readonly db: Database },
  caller: Caller,
  { empresa_id, ...page }: ChavesQuery,
): Promise<{ readonly chaves: Chave[]; readonly total: number; readonly proximo: string | null }> {
  requireWrite(caller)
  const empresas = await narrowScope(db, caller, empresa_id)
  const { shown, proximo } = cutPage(await listKeys(db, empresas, rowsOfPage(page)), page.limit)
  return { chaves: shown.map(viewChave), total: await countKeys(db, empresas), proximo }
}
