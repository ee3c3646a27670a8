import type { Database } from '../db/open.ts'
import { findEmpresa } from '../features/empresas/store.ts'
import { type Caller, notFound, requireScope, scopeIds } from '../http/caller.ts'

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

/** @throws VigiaError `nao_encontrado`, the same for an Empresa that is missing and one that is out of scope. */
export async function requireEmpresa(db: Database, caller: Caller, empresaId: number): Promise<void> {
  requireScope(caller, empresaId)
  if (!(await findEmpresa(db, empresaId))) throw notFound('Empresa não encontrada.')
}
