import { findEmpresa } from '../db/empresas.ts'
import type { Database } from '../db/open.ts'
import type { Caller } from '../http/caller.ts'
import { notFound, requireScope } from '../http/caller.ts'

/** @throws VigiaError `nao_encontrado`, the same for an Empresa that is missing and one that is out of scope. */
export async function requireEmpresa(db: Database, caller: Caller, empresaId: number): Promise<void> {
  requireScope(caller, empresaId)
  if (!(await findEmpresa(db, empresaId))) throw notFound('Empresa não encontrada.')
}
