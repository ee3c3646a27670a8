import type { NomeIa } from './ias.ts'

/** The IA of plates. Its switch is the same state as `ativo` of `modo_b_config`. */
export const IA_PLACA = 'placa' satisfies NomeIa

export const hasPlaca = (ias: readonly NomeIa[]): boolean => ias.includes(IA_PLACA)

/** The IAs with or without plates, in their order. */
export function withPlaca(ias: readonly NomeIa[], on: boolean): NomeIa[] {
  const others = ias.filter((nome) => nome !== IA_PLACA)
  if (!on) return others
  return hasPlaca(ias) ? [...ias] : [...others, IA_PLACA]
}
