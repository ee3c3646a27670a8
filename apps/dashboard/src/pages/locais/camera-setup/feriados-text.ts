/** Dates of a list of holidays as people write them: `dd/mm/aaaa`, one a line. */
export const textOf = (datas: readonly string[]): string =>
  datas.map((data) => data.split('-').toReversed().join('/')).join('\n')

/** The dates of a text, `YYYY-MM-DD`, each once; null: a line is no date. */
export function datesOf(text: string): string[] | null {
  const lines = text.split(/[\n,;]+/).flatMap((line) => line.trim() || [])
  const dates = lines.map((line) => {
    const [, day = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(line) ?? []
    const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    const time = Date.parse(iso)
    return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : iso
  })
  const valid = dates.filter((date) => date !== null)
  return valid.length === lines.length ? [...new Set(valid)].sort() : null
}
