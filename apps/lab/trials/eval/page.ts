import { readFile, writeFile } from 'node:fs/promises'

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
