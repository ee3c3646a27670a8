import type { Empresa } from '@vigia/contracts/empresas'
import { listEmpresas } from '../../../db/empresas.ts'
import { listLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, scopeIds } from '../../../http/caller.ts'
import { effectiveLimitsOf } from '../quotas/effective-limits.ts'
import { viewEmpresa } from './view-empresa.ts'

/** The Empresas in scope, in order of id. Also reads the Empresas above the caller's own, for their limits. */
export async function listVisibleEmpresas({ db }: { readonly db: Database }, caller: Caller): Promise<Empresa[]> {
  const rows = await listEmpresas(db, scopeIds(caller))
  const chain = caller.empresaId === null ? [] : await listLineage(db, caller.empresaId)
  const limites = effectiveLimitsOf([...chain.slice(1).reverse(), ...rows])
  return rows.map((row) => viewEmpresa(row, limites.get(row.id) ?? row))
}
