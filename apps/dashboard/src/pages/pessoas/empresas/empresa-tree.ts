import type { LimitesEmpresa } from '@vigia/contracts/limites'

/** An Empresa with the names of those above it in the scope of the login, from the top. */
export interface PlacedEmpresa {
  readonly empresa: LimitesEmpresa
  readonly acima: readonly string[]
}

/** Puts each Empresa after the one above it, and keeps the order of those with the same one above. */
export function treeOf(empresas: readonly LimitesEmpresa[]): PlacedEmpresa[] {
  const known = new Set(empresas.map(({ empresa_id }) => empresa_id))
  const below = Map.groupBy(empresas, ({ empresa_pai_id }) =>
    empresa_pai_id !== null && known.has(empresa_pai_id) ? empresa_pai_id : null,
  )
  const placed: PlacedEmpresa[] = []
  // A stack: a tree of 10,000 levels would overflow that of a recursion.
  const waiting: PlacedEmpresa[] = (below.get(null) ?? []).toReversed().map((empresa) => ({ empresa, acima: [] }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    placed.push(next)
    const acima = [...next.acima, next.empresa.nome]
    for (const empresa of (below.get(next.empresa.empresa_id) ?? []).toReversed()) waiting.push({ empresa, acima })
  }
  return placed
}
