import type { Janela } from './agenda.ts'

const DAYS = 7
const HOURS = 24

/**
 * The smallest single window of whole hours that contains all windows, for programs that know only one. Among
 * equal sizes it is the one that begins first.
 */
export function singleWindow(janelas: readonly Janela[]): Janela {
  const [only] = janelas
  if (janelas.length === 1 && only && Number.isInteger(only.inicio) && Number.isInteger(only.fim)) return only
  const needed = new Set(janelas.flatMap(hoursOf))
  let best: { readonly janela: Janela; readonly size: number } | null = null
  for (let inicio = 0; inicio < HOURS; inicio++)
    for (let length = 1; length <= HOURS; length++) {
      const dias = startsOf(needed, inicio, length)
      if (dias === null || (best && dias.length * length >= best.size)) continue
      const end = inicio + length
      const fim = end > HOURS ? end - HOURS : end
      best = { janela: { inicio, fim, dias: dias.length === DAYS ? [] : dias }, size: dias.length * length }
    }
  if (!best) throw new Error('no window')
  return best.janela
}

/** The hours of the week (0 = Monday, 0 h) that a window touches. */
function hoursOf({ inicio, fim, dias }: Janela): number[] {
  const [begin, end] = inicio === fim ? [0, HOURS] : [inicio, fim > inicio ? fim : fim + HOURS]
  const days = dias.length === 0 ? [0, 1, 2, 3, 4, 5, 6] : dias
  const first = Math.floor(begin)
  return days.flatMap((dia) =>
    Array.from({ length: Math.ceil(end) - first }, (_one, at) => (dia * HOURS + first + at) % (DAYS * HOURS)),
  )
}

/** The days on which a window of `length` hours must begin; null: it does not contain an hour. */
function startsOf(needed: ReadonlySet<number>, inicio: number, length: number): number[] | null {
  const days = new Set<number>()
  for (const slot of needed) {
    const [dia, hora] = [Math.floor(slot / HOURS), slot % HOURS]
    if (hora >= inicio && hora < inicio + length) days.add(dia)
    else if (hora + HOURS < inicio + length) days.add((dia + DAYS - 1) % DAYS)
    else return null
  }
  return [...days].sort((a, b) => a - b)
}
