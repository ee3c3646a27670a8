import type { Efeito } from '@vigia/contracts/efeitos'
import type { Database } from './open.ts'

/**
 * Authorizations that are usable at `now` (epoch ms): not revoked, login active, and a code or refresh token that has
 * not expired. An access token never outlives its refresh token.
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

/** Effects that the person ticked. */
export const efeitosOf = ({ efeitos_json }: { readonly efeitos_json: string }): readonly Efeito[] =>
  JSON.parse(efeitos_json) as Efeito[]

/** Authorizations that are usable at `now`. */
export const selectStandingAgents = (db: Database, now: number) => standing(db, now).where('u.ativo', '=', 1)

/**
 * Revokes an authorization with all its codes and tokens. Returns false if it was already revoked or does not exist.
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
