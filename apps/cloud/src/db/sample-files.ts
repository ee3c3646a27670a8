import { type NamingTable, namedByRow } from './named-files.ts'
import type { Database } from './open.ts'

const ROWS = 50

/** Files that the oldest and the newest rows name. */
export async function sampleFiles(db: Database): Promise<string[]> {
  const paths = new Set<string>()
  for (const table of Object.keys(namedByRow) as NamingTable[])
    for (const order of ['asc', 'desc'] as const) {
      // All these tables have an `id`.
      const rows = await db
        .selectFrom(table as 'eventos')
        .selectAll()
        .orderBy('id', order)
        .limit(ROWS)
        .execute()
      const files = namedByRow[table] as (row: unknown) => string[]
      for (const path of rows.flatMap(files)) paths.add(path)
    }
  return [...paths]
}
