import type { Empresa } from '@vigia/contracts/empresas'
import type { Database } from '../../db/open.ts'
import { type Caller, notFound, requireScope } from '../../http/caller.ts'
import { findEmpresa } from './store.ts'
import { viewEmpresa } from './view-empresa.ts'

/** @throws VigiaError `nao_encontrado`, the same for an Empresa that is missing and one that is out of scope. */
export async function getEmpresa(deps: { readonly db: Database }, caller: Caller, id: number): Promise<Empresa> {
  requireScope(caller, id)
  const row = await findEmpresa(deps.db, id)
  if (!row) throw notFound('Empresa não encontrada.')
  return viewEmpresa(row)
}
