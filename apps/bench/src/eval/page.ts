import { readFile, writeFile } from 'node:fs/promises'

/** The markers around the tables, which each measurement replaces. */
const BEGIN = '<!-- medidas: início -->'
const END = '<!-- medidas: fim -->'

/** Writes `tables` to the page at `path`: between its markers if it has them, otherwise as the whole page. */
export async function writePage(path: string, tables: string): Promise<void> {
  const page = await readFile(path, 'utf8').catch(() => '')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  const hasPlace = from >= 0 && to > from
  const whole = hasPlace ? `${page.slice(0, from + BEGIN.length)}\n\n${tables}\n${page.slice(to)}` : tables
  await writeFile(path, whole)
}
