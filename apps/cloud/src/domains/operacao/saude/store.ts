import type { Database } from '../../../db/open.ts'

/** Rejects when the database cannot be read. */
export const readSomething = async (db: Database): Promise<void> => {
  await db.selectFrom('usuarios').select('id').limit(1).execute()
}
