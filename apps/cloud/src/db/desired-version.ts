import type { Database } from './open.ts'

/** Raises the desired version of an edge; call it in the transaction of the change. */
export const raiseDesiredVersion = async (db: Database, edgeId: number): Promise<void> => {
  await db
    .updateTable('edges')
    .set((eb) => ({ desejado_versao: eb('desejado_versao', '+', 1) }))
    .where('id', '=', edgeId)
    .execute()
}
