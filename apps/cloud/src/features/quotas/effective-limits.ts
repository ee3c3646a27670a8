import { type Limites, porLimite } from '@vigia/contracts/limites'
import type { EmpresaRow } from '../../db/rows.ts'

/**
 * The limits that hold: of each kind the smallest of the Empresa and of all above it.
 * @param chain the Empresa and all above it
 */
export const effectiveLimits = (chain: readonly Limites[]): Limites =>
  porLimite((campo) => Math.min(...chain.map((empresa) => empresa[campo])))

/** The same of many Empresas. @param rows in order of id, so that a parent precedes its children; with all above them */
export function effectiveLimitsOf(rows: readonly EmpresaRow[]): Map<number, Limites> {
  const found = new Map<number, Limites>()
  for (const row of rows) {
    const parent = row.empresa_pai_id === null ? undefined : found.get(row.empresa_pai_id)
    found.set(row.id, effectiveLimits(parent ? [row, parent] : [row]))
  }
  return found
}
