import type { Insertable } from 'kysely'
import type { Database } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'

export const insertRecord = async (
  db: Database,
  record: Omit<Insertable<Tables['auditoria']>, 'id'>,
): Promise<void> => {
  await db.insertInto('auditoria').values(record).execute()
}
