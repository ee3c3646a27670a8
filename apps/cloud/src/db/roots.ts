import { rootOf } from './empresas.ts'
import type { Database } from './open.ts'

const MOST_KEPT = 10_000

/** The root of each Empresa, read once: an Empresa never changes its parent. */
export function createRoots(db: Database): (empresaId: number) => Promise<number> {
  const known = new Map<number, number>()
  return async (empresaId) => {
    const root = known.get(empresaId) ?? (await rootOf(db, empresaId))
    if (known.size >= MOST_KEPT) known.clear()
    known.set(empresaId, root)
    return root
  }
}
