import type { Evento } from '@vigia/contracts/eventos'

/** ISO instant → `21/11/2026 07:08:09` in that time zone. */
export const localTime = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone })
    .format(new Date(iso))
    .replace(',', '')

/** When a record happened, or that nobody knows it and between which times it did. */
export const localWhen = (
  { ocorrido_em, hora_incerta }: Pick<Evento, 'ocorrido_em' | 'hora_incerta'>,
  timeZone: string,
): string => {
  if (hora_incerta === undefined) return localTime(ocorrido_em, timeZone)
  return `hora incerta: entre ${localTime(hora_incerta.de, timeZone)} e ${localTime(hora_incerta.ate, timeZone)}`
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** Milliseconds → `2 h 5 min`: the two largest non-zero units, rounded down. */
export function shownDuration(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1000))
  const parts = units.map(([unit, seconds]) => {
    const n = Math.floor(rest / seconds)
    rest %= seconds
    return [n, unit] as const
  })
  const first = parts.findIndex(([n]) => n > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .flatMap(([n, unit]) => (n > 0 ? [`${n} ${unit}`] : []))
    .join(' ')
}
