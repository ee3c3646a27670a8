import { type NamingTable, namedByRow } from '../named-files.ts'
import type { Row, RowSource } from './rows.ts'
import type { TableSchema } from './schema.ts'

/** Paths of media in little memory: a million take about 80 MB. */
export interface PathList {
  add(paths: readonly string[]): void
  readonly count: number
  /** In groups of at most `PATHS_AT_ONCE`. */
  groups(): Iterable<readonly string[]>
}

const PATHS_AT_ONCE = 256

export function createPathList(): PathList {
  const full: Buffer[] = []
  let open: string[] = []
  let count = 0
  return {
    add(paths) {
      for (const path of paths) {
        open.push(path)
        count += 1
        if (open.length < PATHS_AT_ONCE) continue
        // No path contains a line feed (media-path.ts).
        full.push(Buffer.from(open.join('\n')))
        open = []
      }
    },
    get count() {
      return count
    },
    *groups() {
      for (const group of full) yield group.toString().split('\n')
      if (open.length > 0) yield open
    },
  }
}

/** Files that a row of this table names; null: the table names no files. */
export function namerOf({ name, columns }: TableSchema): ((row: Row) => string[]) | null {
  if (!Object.hasOwn(namedByRow, name)) return null
  const files = namedByRow[name as NamingTable] as (row: never) => string[]
  return (row) => files(Object.fromEntries(columns.map((column, at) => [column, row[at]])) as never)
}

/** All files that the rows name. */
export async function readNamedPaths(source: RowSource, tables: readonly TableSchema[]): Promise<PathList> {
  const list = createPathList()
  for (const table of tables) {
    const names = namerOf(table)
    if (names === null) continue
    for await (const page of source.pages(table, 0)) list.add(page.flatMap(names))
  }
  return list
}
