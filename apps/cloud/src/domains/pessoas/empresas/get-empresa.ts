import type { Empresa } from '@vigia/contracts/empresas'
import { listLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, notFound, requireScope } from '../../../http/caller.ts'
import { effectiveLimits } from '../quotas/effective-limits.ts'
import { viewEmpresa } from './view-empresa.ts'

/** @throws VigiaError `nao_encontrado` for a missing Empresa and for one out of scope */
export async function getEmpresa(deps: { readonly db: Database }, caller: Caller, id: number): Promise<Empresa> {
  requireScope(caller, id)
  const chain = await listLineage(deps.db, id)
  if (!chain[0]) throw notFound('Empresa não encontrada.')
  return viewEmpresa(chain[0], effectiveLimits(chain))
}
