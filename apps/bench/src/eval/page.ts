import { readFile, writeFile } from 'node:fs/promises'

/** Between these two lines of a page stand the tables, and are replaced with every measurement. */
const BEGIN = '<!-- medidas: início -->'
const END = '<!-- medidas: fim -->'

/** Puts `tables` into the page at `path`: into its place for them, where it has one; else they are the page. */
export async function writePage(path: string, tables: string): Promise<void> {
  const page = await readFile(path, 'utf8').catch(() => '')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  const hasPlace = from >= 0 && to > from
  const whole = hasPlace ? `${page.slice(0, from + BEGIN.length)}\n\n${tables}\n${page.slice(to)}` : tables
  await writeFile(path, whole)
}
