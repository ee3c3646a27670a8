import type { Database } from '../db/open.ts'
import { type Caller, scopeIds } from '../http/caller.ts'
import { requireEmpresa } from './require-empresa.ts'

/**
 * Filter of a list: the scope, or the one Empresa of the query. null: no filter.
 * @throws VigiaError `nao_encontrado` when that Empresa is out of scope or missing. The scope of the operator also
 * contains missing ids.
 */
export async function narrowScope(
  db: Database,
  caller: Caller,
  empresaId: number | undefined,
): Promise<number[] | null> {
  if (empresaId === undefined) return scopeIds(caller)
  await requireEmpresa(db, caller, empresaId)
  return [empresaId]
}
