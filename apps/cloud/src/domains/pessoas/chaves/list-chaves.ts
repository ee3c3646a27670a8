import type { Chave, ChavesQuery } from '@vigia/contracts/chaves'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { keysOf } from './store.ts'
import { viewChave } from './view-chave.ts'

/**
 * One page of the keys in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope)
 */
export async function listVisibleKeys(
  { db }: { readonly db: Database },
  caller: Caller,
  { empresa_id, ...page }: ChavesQuery,
): Promise<Page<Chave>> {
  requireWrite(caller)
  return readPage(keysOf(db, await narrowScope(db, caller, empresa_id)), page, viewChave)
}
