import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type LimitCell, type LimitRow, limitScopes } from '@vigia/contracts/limit-rows'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Path of the generated document, relative to the repository. */
export const LIMITS_DOCUMENT = 'docs/limits.md'

/** Reads the rows of every `limit-rows.ts` of the products, by path. @returns rows in the order of their names */
export async function readLimits(): Promise<LimitRow[]> {
  const files = globSync('{apps,packages}/*/src/**/limit-rows.ts', { cwd: root })
    .filter((file) => file !== 'packages/contracts/src/limit-rows.ts')
    .sort()
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(root, file)).href)))
  return modules
    .flatMap(({ limitRows }: { limitRows: readonly LimitRow[] }) => limitRows)
    .sort((a, b) => (a.what < b.what ? -1 : 1))
}

/** Titles of all tests, as the string literals of the test files. @returns the sources, one text */
export function readTestSources(): string {
  return globSync('{apps,packages,deploy,firmware-images}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
}

/** @returns one sentence for each cell that is empty, names a test that does not exist, or has an odd size */
export function findFaults(rows: readonly LimitRow[], testSources: string): string[] {
  const faults: string[] = []
  for (const row of rows)
    for (const scope of limitScopes) {
      const cell: LimitCell | undefined = row[scope]
      const texts = cell === undefined ? [] : 'none' in cell ? [cell.none] : [cell.limit, cell.test]
      if (texts.length === 0 || texts.some((text) => text.trim() === '')) faults.push(`${row.what}: ${scope} is empty`)
      else if (cell !== undefined && 'test' in cell && !hasTitle(testSources, cell.test))
        faults.push(`${row.what}: ${scope} names a test that does not exist: ${cell.test}`)
      if (texts.some(hasOddSize)) faults.push(`${row.what}: ${scope} has a size that byteSize does not write`)
    }
  return faults
}

/** A size with a decimal unit, with two decimals, or that fills a larger unit. */
const hasOddSize = (text: string): boolean =>
  [...text.matchAll(/([\d.,]+) ?(kB|MB|GB|TB|bytes|KiB|MiB|GiB)\b/g)].some(
    ([, value = '', unit = '']) =>
      !['bytes', 'KiB', 'MiB', 'GiB'].includes(unit) ||
      /\.\d\d/.test(value) ||
      Number(value.replaceAll(',', '')) >= 1024,
  )

/** A title stands between quotes, so that the words of a comment do not count. */
const hasTitle = (sources: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => sources.includes(`${quote}${title}${quote}`))

const SCOPE_NAMES = {
  item: 'item',
  connection: 'connection',
  edge: 'edge',
  empresa: 'Empresa',
  root: 'root Empresa',
  installation: 'installation',
} as const

/** Markdown of the document. */
export function writeDocument(rows: readonly LimitRow[]): string {
  const sections = rows.map((row) => {
    const items = limitScopes.map((scope) => {
      const cell = row[scope]
      const text = 'none' in cell ? `no bound: ${cell.none}.` : `${cell.limit}. Test: *${cell.test}*.`
      return wrap(`* ${SCOPE_NAMES[scope]}: ${text}`)
    })
    return [`## ${row.what}`, '', `Sent or held by: ${row.who}.`, '', ...items, ''].join('\n')
  })
  return `# Limits

Each thing that a caller can send or hold, and its bound for each scope. \`npm run limits\` writes this page from the
\`limit-rows.ts\` files beside the code. A test fails for an empty cell, for a test that does not exist, and for an
older page.

${sections.join('\n')}`
}

/** Breaks an item of a list into lines of at most 118 columns. */
function wrap(item: string): string {
  const lines = ['']
  for (const word of item.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length + 1 > 118) lines.push(`  ${word}`)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
