import type { Database } from './open.ts'
import type { UsuarioRow } from './rows.ts'

/**
 * Locks the camera's row: other transactions that change the camera wait until this one ends. Must be the first
 * statement of its transaction, so that later reads see the newest state.
 */
export const lockCamera = async (db: Database, id: number): Promise<void> => {
  await db.updateTable('cameras').set({ id }).where('id', '=', id).execute()
}

/**
 * Locks the edge's row until the transaction ends, so that only one process at a time writes its sequences, gaps and
 * passages.
 */
export const lockEdge = async (tx: Database, id: number): Promise<void> => {
  await tx.updateTable('edges').set({ id }).where('id', '=', id).execute()
}

/**
 * Locks the Empresa's row: other transactions that add cameras or gravadores wait, across processes. Quota and
 * uniqueness are therefore checked on the current state. Must be the first statement of its transaction.
 * @returns the Empresa; undefined: it does not exist, or its removal is under way
 */
export const lockEmpresa = (db: Database, id: number) =>
  db
    .updateTable('empresas')
    .set({ id })
    .where('id', '=', id)
    .where('removida_em', 'is', null)
    .returningAll()
    .executeTakeFirst()

/**
 * Locks the login's row until the transaction ends. Returns false if it was disabled, or its password or second factor
 * changed, since `seen` was read.
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
