import type { Database } from './open.ts'

/** Makes the desired state of an edge newer; in the transaction of the change that the edge has to learn. */
export const raiseDesiredVersion = async (db: Database, edgeId: number): Promise<void> => {
  await db
    .updateTable('edges')
    .set((eb) => ({ desejado_versao: eb('desejado_versao', '+', 1) }))
    .where('id', '=', edgeId)
    .execute()
}
