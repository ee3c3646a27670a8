import type { LacunaVista } from '@vigia/contracts/eventos'

/** Number of missing events of a lacuna; null: unknown. */
export const missingCount = ({
  de_seq,
  ate_seq,
  faltam,
}: Pick<LacunaVista, 'de_seq' | 'ate_seq' | 'faltam'>): number | null =>
  faltam ?? (ate_seq < de_seq ? null : ate_seq - de_seq + 1)

/** Arriving lacunas first, then the newest. */
export const newestLacunaFirst = (a: LacunaVista, b: LacunaVista): number =>
  Number(b.motivo === 'a_caminho') - Number(a.motivo === 'a_caminho') ||
  Date.parse(b.registrada_em) - Date.parse(a.registrada_em) ||
  b.id - a.id

/** Total number of lost events and of arriving events in `lacunas`. A lacuna of unknown size counts as 0. */
export function countMissing(lacunas: readonly LacunaVista[]): { readonly lost: number; readonly arriving: number } {
  let lost = 0
  let arriving = 0
  for (const lacuna of lacunas) {
    if (lacuna.motivo === 'a_caminho') arriving += missingCount(lacuna) ?? 0
    else lost += missingCount(lacuna) ?? 0
  }
  return { lost, arriving }
}
