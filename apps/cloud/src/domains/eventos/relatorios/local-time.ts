const formatters = new Map<string, Intl.DateTimeFormat>()

/** Building a formatter costs about a hundred times as much as a call. */
function formatterOf(fuso: string): Intl.DateTimeFormat {
  const known = formatters.get(fuso)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: fuso,
  })
  formatters.set(fuso, made)
  return made
}

/** Calendar day (`2026-01-31`), hour and minute of an instant in the time zone `fuso`. */
export function localTime(
  epochMs: number,
  fuso: string,
): { readonly dia: string; readonly hora: number; readonly minuto: number } {
  const parts = formatterOf(fuso).formatToParts(epochMs)
  const value = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const dia = `${value('year')}-${value('month')}-${value('day')}`
  return { dia, hora: Number(value('hour')), minuto: Number(value('minute')) }
}
