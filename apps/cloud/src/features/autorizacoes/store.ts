import type { Database } from '../../db/open.ts'

/**
 * Takes an authorization back: none of its codes and tokens is taken from now on, and it is not renewed. False: it was taken
 * back before, or is not there.
 */
export async function revokeAuthorization(db: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('autorizacoes_oauth')
    .set({ revogada_em: now })
    .where('id', '=', id)
    .where('revogada_em', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The same of everything that a login allowed. */
export const revokeAuthorizationsOf = async (db: Database, usuarioId: number, now: number): Promise<void> => {
  await db
    .updateTable('autorizacoes_oauth')
    .set({ revogada_em: now })
    .where('usuario_id', '=', usuarioId)
    .where('revogada_em', 'is', null)
    .execute()
}
