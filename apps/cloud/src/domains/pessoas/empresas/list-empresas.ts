import type { Empresa } from '@vigia/contracts/empresas'
import { listWithAbove } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, scopeIds } from '../../../http/caller.ts'
import { effectiveLimitsOf } from '../quotas/effective-limits.ts'
import { viewEmpresa } from './view-empresa.ts'

/** The Empresas in scope, in order of id. Also reads the Empresas above them, for their limits. */
export async function listVisibleEmpresas({ db }: { readonly db: Database }, caller: Caller): Promise<Empresa[]> {
  const rows = await listWithAbove(db, scopeIds(caller))
  const limites = effectiveLimitsOf(rows)
  return rows
    .filter(({ id, removida_em }) => removida_em === null && inScope(caller, id))
    .map((row) => viewEmpresa(row, limites.get(row.id) ?? row))
}
