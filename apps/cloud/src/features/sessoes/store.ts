import type { Database } from '../../db/open.ts'
import type { UsuarioRow } from '../usuarios/store.ts'

/** The login behind a live session. */
export const findSessionUser = (
  db: Database,
  tokenHash: string,
  now: number,
): Promise<Pick<UsuarioRow, 'id' | 'username' | 'papel' | 'empresa_id'> | undefined> =>
  db
    .selectFrom('sessoes')
    .innerJoin('usuarios', 'usuarios.id', 'sessoes.usuario_id')
    .select(['usuarios.id', 'usuarios.username', 'usuarios.papel', 'usuarios.empresa_id'])
    .where('sessoes.token_hash', '=', tokenHash)
    .where('sessoes.expira_em', '>', now)
    .executeTakeFirst()

/** Stores a session, and removes those that have expired, which would otherwise stay for ever. */
export const insertSession = (
  db: Database,
  session: { token_hash: string; usuario_id: number; expira_em: number },
  now: number,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.deleteFrom('sessoes').where('expira_em', '<=', now).execute()
    await trx.insertInto('sessoes').values(session).execute()
  })

export const deleteSession = async (db: Database, tokenHash: string): Promise<void> => {
  await db.deleteFrom('sessoes').where('token_hash', '=', tokenHash).execute()
}
