import { type Reaching, unpackAlcance } from '../db/alcance.ts'
import { livingIds, subtreeIds } from '../db/empresas.ts'
import type { Database } from '../db/open.ts'
import type { Login } from '../http/caller.ts'

type Escopo = Login['escopo']

/**
 * The Empresas that a reach has now. A login without an Empresa has all of them below it, or those of its list. Empty
 * for a list without a living Empresa.
 */
export async function scopeOf(db: Database, { papel, empresa_id, alcance }: Reaching): Promise<Escopo> {
  const reach = unpackAlcance(alcance, papel)
  if (reach === 'propria') return new Set(empresa_id === null ? [] : [empresa_id])
  if (reach === 'abaixo') return empresa_id === null ? 'tudo' : subtreeIds(db, empresa_id)
  return reach.length === 0 ? new Set() : livingIds(db, reach)
}

/** The Empresas of both scopes. */
export function narrower(a: Escopo, b: Escopo): Escopo {
  if (a === 'tudo') return b
  return b === 'tudo' ? a : new Set([...a].filter((id) => b.has(id)))
}

/** Whether a list has lost its last Empresa. Its login, quiosque or chave is then disabled. */
export const isLost = ({ papel, alcance }: Pick<Reaching, 'papel' | 'alcance'>, escopo: Escopo): boolean =>
  escopo !== 'tudo' && escopo.size === 0 && typeof unpackAlcance(alcance, papel) !== 'string'
