import { readFile, writeFile } from 'node:fs/promises'
import { type Table, toMarkdown, toText } from '@vigia/testing/table'
import type { TrialOutput } from '@vigia/testing/trial'
import { figuresMark, readProvenance } from '../../src/provenance.ts'

interface Report {
  readonly tables: readonly Table[]
  /** Lines after the tables, for a terminal only. */
  readonly details: readonly string[]
  /** File for the tables: a new page, or a page with markers. `-`: they are printed as Markdown; null: none. */
  readonly markdown: string | null
}

/** Prints the tables, and writes them to their page. */
export async function reportTables(
  { tables, details, markdown }: Report,
  print: TrialOutput['print'],
  name?: string,
): Promise<void> {
  const mark = figuresMark('eval', readProvenance())
  const page = tables.map((table) => toMarkdown(table, mark)).join('\n\n')
  if (markdown === '-') return print(page)
  if (markdown !== null) await writePage(markdown, `${page}\n`, name)
  print([...tables.map(toText), details.join('\n')].join('\n\n'))
}

/**
 * Writes `tables` to the page at `path`: between the markers of `name` if it has them, otherwise as the whole page.
 * Each measurement replaces what its own markers enclose.
 */
export async function writePage(path: string, tables: string, name = 'medidas'): Promise<void> {
  const [begin, end] = [`<!-- ${name}: início -->`, `<!-- ${name}: fim -->`]
  const page = await readFile(path, 'utf8').catch(() => '')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  const hasPlace = from >= 0 && to > from
  const whole = hasPlace ? `${page.slice(0, from + begin.length)}\n\n${tables}\n${page.slice(to)}` : tables
  await writeFile(path, whole)
}
