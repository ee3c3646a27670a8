import type { PlacaListada } from '@vigia/contracts/placas'
import type { PlacaRow } from '../../../db/rows.ts'

/** @param now cloud clock in epoch ms */
export const viewPlaca = ({ validade, criada_em, atualizada_em, ...row }: PlacaRow, now: number): PlacaListada => ({
  ...row,
  validade: validade === null ? null : new Date(validade).toISOString(),
  vencida: validade !== null && validade <= now,
  criada_em: new Date(criada_em).toISOString(),
  atualizada_em: new Date(atualizada_em).toISOString(),
})
