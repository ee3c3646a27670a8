import type { Me } from '@vigia/contracts/sessoes'
import type { Database } from '../../db/open.ts'
import { type Caller, requireLogin, scopeIds } from '../../http/caller.ts'
import { findEmpresa } from '../empresas/store.ts'

/** Who the caller is and which Empresas are in its scope. */
export async function describeMe(deps: { readonly db: Database }, caller: Caller): Promise<Me> {
  const empresa = caller.empresaId === null ? undefined : await findEmpresa(deps.db, caller.empresaId)
  return {
    id: requireLogin(caller),
    username: caller.username ?? '',
    papel: caller.papel,
    empresa_id: caller.empresaId,
    empresa_nome: empresa?.nome ?? null,
    empresas: scopeIds(caller),
  }
}
