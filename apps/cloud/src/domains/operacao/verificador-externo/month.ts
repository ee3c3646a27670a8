/** Month of an instant in the time zone `fuso`: `2026-11`. */
export function monthIn(fuso: string, epochMs: number): string {
  const format = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', timeZone: fuso })
  const parts = format.formatToParts(epochMs)
  const value = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${value('year')}-${value('month')}`
}
