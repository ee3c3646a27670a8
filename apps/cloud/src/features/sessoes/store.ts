import { lockAsSeen } from '../../db/locks.ts'
import type { Database } from '../../db/open.ts'
import type { UsuarioRow } from '../../db/rows.ts'

/** The login of a valid session, and the host that issued it. */
export const findSessionUser = (
  db: Database,
  tokenHash: string,
  now: number,
): Promise<
  | (Pick<UsuarioRow, 'id' | 'username' | 'papel' | 'empresa_id' | 'segundo_fator_ativo'> & { host: string | null })
  | undefined
> =>
  db
    .selectFrom('sessoes')
    .innerJoin('usuarios', 'usuarios.id', 'sessoes.usuario_id')
    .select([
      'usuarios.id',
      'usuarios.username',
      'usuarios.papel',
      'usuarios.empresa_id',
      'usuarios.segundo_fator_ativo',
      'sessoes.host',
    ])
    .where('sessoes.token_hash', '=', tokenHash)
    .where('sessoes.expira_em', '>', now)
    .where('usuarios.ativo', '=', 1)
    .executeTakeFirst()

/**
 * Stores a session in the caller's transaction, and deletes expired ones.
 * @returns false, without a change, when password, second factor or active state of the login differ from `seen`
 */
export async function insertSession(
  tx: Database,
  session: { token_hash: string; usuario_id: number; expira_em: number; host: string },
  seen: UsuarioRow,
  now: number,
): Promise<boolean> {
  if (!(await lockAsSeen(tx, seen))) return false
  await tx.deleteFrom('sessoes').where('expira_em', '<=', now).execute()
  await tx.insertInto('sessoes').values(session).execute()
  return true
}

/** false: it no longer existed. */
export const deleteSession = async (db: Database, tokenHash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessoes')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
