import type { Database } from '../db/open.ts'

/** Sealed value of a secret of the installation; undefined: none yet. */
export async function readInstallationSecret(db: Database, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('segredos_instalacao').select('cifrado').where('id', '=', id).executeTakeFirst()
  return row?.cifrado
}

export const saveInstallationSecret = async (db: Database, id: number, cifrado: string): Promise<void> => {
  await db.insertInto('segredos_instalacao').values({ id, cifrado }).execute()
}
