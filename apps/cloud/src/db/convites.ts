import type { Database } from './open.ts'

/** Revokes the pending invitations of a login. */
export const deleteConvitesBy = async (tx: Database, usuarioId: number): Promise<void> => {
  await tx.deleteFrom('convites').where('criado_por_id', '=', usuarioId).execute()
}
