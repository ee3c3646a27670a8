import type { Database } from '../../db/open.ts'
import type { UsuarioRow } from '../usuarios/store.ts'

/** The login behind a live session, and the host that issued it. */
export const findSessionUser = (
  db: Database,
  tokenHash: string,
  now: number,
): Promise<(Pick<UsuarioRow, 'id' | 'username' | 'papel' | 'empresa_id'> & { host: string | null }) | undefined> =>
  db
    .selectFrom('sessoes')
    .innerJoin('usuarios', 'usuarios.id', 'sessoes.usuario_id')
    .select(['usuarios.id', 'usuarios.username', 'usuarios.papel', 'usuarios.empresa_id', 'sessoes.host'])
    .where('sessoes.token_hash', '=', tokenHash)
    .where('sessoes.expira_em', '>', now)
    .where('usuarios.ativo', '=', 1)
    .executeTakeFirst()

/**
 * Stores a session, within the caller's transaction, and removes those that have expired, which would otherwise stay for
 * ever. False, and nothing stored, when the password was changed or the login switched off since `senhaHash` was read.
 */
export async function insertSession(
  trx: Database,
  session: { token_hash: string; usuario_id: number; expira_em: number; host: string },
  senhaHash: string,
  now: number,
): Promise<boolean> {
  await trx.deleteFrom('sessoes').where('expira_em', '<=', now).execute()
  const user = await trx
    .selectFrom('usuarios')
    .select('id')
    .where('id', '=', session.usuario_id)
    .where('senha_hash', '=', senhaHash)
    .where('ativo', '=', 1)
    .executeTakeFirst()
  if (!user) return false
  await trx.insertInto('sessoes').values(session).execute()
  return true
}

export const deleteSessionsOf = async (db: Database, usuarioId: number): Promise<void> => {
  await db.deleteFrom('sessoes').where('usuario_id', '=', usuarioId).execute()
}

export const deleteSessionsOn = async (db: Database, hosts: readonly string[]): Promise<void> => {
  await db.deleteFrom('sessoes').where('host', 'in', hosts).execute()
}

/** False: it was not there any more. */
export const deleteSession = async (db: Database, tokenHash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessoes')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
