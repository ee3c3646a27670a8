import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onPostgres } from '@vigia/testing/test-databases'
import { type Database, openDatabase } from '../../db/open.ts'
import { testPlace } from '../clouds/template.ts'

/** All that the database of a data folder holds (`storedAt`). */
export const storedText = (dataDir: string): Promise<string> => storedAt(join(dataDir, 'cloud/vigia.db'))

/**
 * All that a database holds, as text, for the search of secrets. It is the bytes of the SQLite file with its
 * write-ahead log, or every row of PostgreSQL.
 */
export async function storedAt(file: string): Promise<string> {
  if (!onPostgres()) {
    const parts = ['', '-wal'].map((suffix) => readFile(`${file}${suffix}`, 'latin1'))
    return (await Promise.all(parts)).join('')
  }
  const db = await openDatabase(await testPlace(file))
  try {
    return await allRows(db)
  } finally {
    await db.destroy()
  }
}

async function allRows(db: Database): Promise<string> {
  const texts: string[] = []
  for (const { name } of await db.introspection.getTables())
    texts.push(
      JSON.stringify(
        await db
          .selectFrom(name as 'empresas')
          .selectAll()
          .execute(),
      ),
    )
  return texts.join('\n')
}
