/** Epoch ms; `fim` exclusive. */
interface Interval {
  readonly inicio: number
  readonly fim: number
}

/** Returns the parts of `whole` of at least `shortestMs` that none of `covers` (by start) contains. */
export function uncovered(whole: Interval, covers: readonly Interval[], shortestMs: number): Interval[] {
  const gaps: Interval[] = []
  let from = whole.inicio
  for (const { inicio, fim } of covers) {
    if (inicio > from) gaps.push({ inicio: from, fim: Math.min(inicio, whole.fim) })
    from = Math.max(from, fim)
  }
  if (from < whole.fim) gaps.push({ inicio: from, fim: whole.fim })
  return gaps.filter(({ inicio, fim }) => fim - inicio >= shortestMs)
}
