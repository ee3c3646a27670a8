import type { Database } from './open.ts'

/** Ends the sessions of a login. @param kept id of the session that stays */
export const deleteSessionsOf = async (db: Database, usuarioId: number, kept: number | null = null): Promise<void> => {
  await db
    .deleteFrom('sessoes')
    .where('usuario_id', '=', usuarioId)
    .$if(kept !== null, (qb) => qb.where('id', '<>', kept ?? 0))
    .execute()
}

/** Ends the sessions of some hosts, and the quiosques among them. */
export const deleteSessionsOn = async (db: Database, hosts: readonly string[]): Promise<void> => {
  const screens = db
    .selectFrom('sessoes')
    .select('quiosque_id')
    .where('host', 'in', hosts)
    .where('quiosque_id', 'is not', null)
    .$narrowType<{ quiosque_id: number }>()
  await db.deleteFrom('quiosques').where('id', 'in', screens).execute()
  await db.deleteFrom('sessoes').where('host', 'in', hosts).execute()
}
