import type { LacunaVista } from '@vigia/contracts/eventos'

/** How many events a gap stands for; null: nobody knows. */
export const missingCount = ({
  de_seq,
  ate_seq,
  faltam,
}: Pick<LacunaVista, 'de_seq' | 'ate_seq' | 'faltam'>): number | null =>
  faltam ?? (ate_seq < de_seq ? null : ate_seq - de_seq + 1)

/** What is arriving first, then the newest. */
export const newestGapFirst = (a: LacunaVista, b: LacunaVista): number =>
  Number(b.motivo === 'a_caminho') - Number(a.motivo === 'a_caminho') ||
  Date.parse(b.registrada_em) - Date.parse(a.registrada_em) ||
  b.id - a.id

/** Events that will never come, of all `gaps` together, and those on their way. Gaps of unknown size count for nothing. */
export function countMissing(gaps: readonly LacunaVista[]): { readonly lost: number; readonly arriving: number } {
  let lost = 0
  let arriving = 0
  for (const gap of gaps) {
    if (gap.motivo === 'a_caminho') arriving += missingCount(gap) ?? 0
    else lost += missingCount(gap) ?? 0
  }
  return { lost, arriving }
}
