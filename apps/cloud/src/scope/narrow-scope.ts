import type { Database } from '../db/open.ts'
import { type Caller, scopeIds } from '../http/caller.ts'
import { requireEmpresa } from './require-empresa.ts'

/**
 * The filter of a list: the scope, narrowed to one Empresa where the query says so. null: everything.
 * @throws VigiaError `nao_encontrado` when that Empresa is out of scope, or does not exist: the operator's scope is
 * everything, also what does not exist.
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
