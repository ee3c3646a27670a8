import type { Database } from './open.ts'

/**
 * Those by which an agent gets in at `now` (epoch ms), or still can, if the login is on: not taken back, and a code or a
 * refresh token that has not expired. An access token never outlives the refresh token that came with it.
 */
export const standing = (db: Database, now: number) =>
  db
    .selectFrom('autorizacoes_oauth as a')
    .innerJoin('clientes_oauth as c', 'c.id', 'a.cliente_id')
    .innerJoin('usuarios as u', 'u.id', 'a.usuario_id')
    .where('a.revogada_em', 'is', null)
    .where('a.expira_em', '>', now)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('codigos_oauth as t')
            .select('t.codigo_hash')
            .whereRef('t.autorizacao_id', '=', 'a.id')
            .where('t.expira_em', '>', now),
        ),
        exists(
          selectFrom('renovacoes_oauth as t')
            .select('t.token_hash')
            .whereRef('t.autorizacao_id', '=', 'a.id')
            .where('t.expira_em', '>', now),
        ),
      ]),
    )

/** Authorizations by which an agent gets in at `now`, or still can. */
export const selectStandingAgents = (db: Database, now: number) => standing(db, now).where('u.ativo', '=', 1)

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
