import { type Limites, porLimite } from '@vigia/contracts/limites'
import type { EmpresaRow } from '../../../db/rows.ts'

/**
 * Returns the effective limits: for each kind the minimum of the Empresa and its ancestors.
 * @param chain the Empresa and its ancestors
 */
export const effectiveLimits = (chain: readonly Limites[]): Limites =>
  porLimite((campo) => Math.min(...chain.map((empresa) => empresa[campo])))

/**
 * Effective limits of many Empresas. @param rows ordered by id, so that a parent precedes its children; includes all
 * ancestors
 */
export function effectiveLimitsOf(rows: readonly EmpresaRow[]): Map<number, Limites> {
  const found = new Map<number, Limites>()
  for (const row of rows) {
    const parent = row.empresa_pai_id === null ? undefined : found.get(row.empresa_pai_id)
    found.set(row.id, effectiveLimits(parent ? [row, parent] : [row]))
  }
  return found
}
