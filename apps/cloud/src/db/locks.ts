import type { Database } from './open.ts'
import type { UsuarioRow } from './rows.ts'

/**
 * Takes the camera's row for this transaction: another one that changes the camera waits until this one ends. First
 * statement of its transaction, so that what is read next is the newest.
 */
export const lockCamera = async (db: Database, id: number): Promise<void> => {
  await db.updateTable('cameras').set({ id }).where('id', '=', id).execute()
}

/**
 * Takes the Empresa's row for this transaction: another one that adds cameras or recorders to it waits until this one
 * ends, in whatever process, so that quota and uniqueness are decided on what is there. First statement of its transaction.
 * @returns the Empresa; undefined: there is none
 */
export const lockEmpresa = (db: Database, id: number) =>
  db.updateTable('empresas').set({ id }).where('id', '=', id).returningAll().executeTakeFirst()

/**
 * Locks the login's row until the transaction ends, unless password or second factor were changed or it was switched off
 * since it was `seen`: then false.
 */
export const lockAsSeen = async (tx: Database, seen: UsuarioRow): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('usuarios')
    .set({ ativo: 1 })
    .where('id', '=', seen.id)
    .where('ativo', '=', 1)
    .where('senha_hash', '=', seen.senha_hash)
    .where('segundo_fator_ativo', '=', seen.segundo_fator_ativo)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
