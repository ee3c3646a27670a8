import type { Database } from './open.ts'

/** @param kept hash of the token whose session stays */
export const deleteSessionsOf = async (db: Database, usuarioId: number, kept: string | null = null): Promise<void> => {
  await db
    .deleteFrom('sessoes')
    .where('usuario_id', '=', usuarioId)
    .$if(kept !== null, (qb) => qb.where('token_hash', '<>', kept ?? ''))
    .execute()
}

export const deleteSessionsOn = async (db: Database, hosts: readonly string[]): Promise<void> => {
  await db.deleteFrom('sessoes').where('host', 'in', hosts).execute()
}
