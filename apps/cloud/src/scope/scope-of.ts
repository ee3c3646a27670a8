import { subtreeIds } from '../db/empresas.ts'
import type { Database } from '../db/open.ts'
import type { Login } from '../http/caller.ts'

/** A login that is no administrador has only its own Empresa in scope; without one the scope is empty. */
export async function scopeOf(db: Database, papel: Login['papel'], empresaId: number | null): Promise<Login['escopo']> {
  if (papel === 'administrador') return empresaId === null ? 'tudo' : subtreeIds(db, empresaId)
  return new Set(empresaId === null ? [] : [empresaId])
}
