import type { QuirkRow } from '../quirk-rows.ts'
import { type QuirkName, quirkNames } from '../quirks.ts'

const BEGIN = '<!-- odd devices -->\n'
const END = '<!-- end of odd devices -->'
const COLUMNS = 118

/** One sentence for each quirk that does not stand in one row, and each row whose test does not exist. */
export function findFaults(rows: readonly QuirkRow[], read: (file: string) => string): string[] {
  const counts = new Map<QuirkName, number>()
  for (const quirk of rows.flatMap(({ quirks }) => quirks)) counts.set(quirk, (counts.get(quirk) ?? 0) + 1)
  const uneven = quirkNames.filter((name) => counts.get(name) !== 1)
  const untested = rows.filter(({ test: [file, title] }) => !hasTitle(read(file), title))
  return [
    ...uneven.map((name) => `${name} stands in ${counts.get(name) ?? 0} rows`),
    ...untested.map(({ device, test: [file, title] }) => `${device}: ${file} has no test “${title}”`),
  ]
}

/** A title stands between quotes, so that the words of a comment do not count. */
const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`))

/** The page with the list of these rows between its marks. */
export function withRows(page: string, rows: readonly QuirkRow[]): string {
  const [from, to] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  if (from < BEGIN.length || to < from) throw new Error('the page has no marks')
  return `${page.slice(0, from)}\n${rows.map(writeRow).join('\n')}\n\n${page.slice(to)}`
}

function writeRow({ device, quirks, setting, sees, ends, test: [file, title] }: QuirkRow): string {
  const names = [...quirks, ...(setting === undefined ? [] : [setting])].map((name) => `\`${name}\``)
  const seen = sees.map((text) => (text.includes(' ') ? `*${text}*` : text)).join(', then ')
  return [
    `* **${device}.** ${names.join(', ')}`,
    `  * A person sees: ${seen}`,
    `  * End: ${ends}.`,
    `  * Test: *${title}*, \`${file.split('/').at(-1)}\`.`,
  ]
    .map(wrap)
    .join('\n')
}

/** Breaks an item of a list between words. */
function wrap(item: string): string {
  const indent = `${/^ */.exec(item)?.[0] ?? ''}  `
  const lines: string[] = []
  for (const word of item.trimStart().split(' ')) {
    const line = lines.at(-1)
    if (line === undefined) lines.push(`${indent.slice(2)}${word}`)
    else if (line.length + word.length + 1 > COLUMNS) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
