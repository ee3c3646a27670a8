import type { Insertable } from 'kysely'
import { type Pages, pagesOf } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { ConviteRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

/** How long the same acceptance is answered again: its first answer may be lost. */
const AGAIN_MS = 60_000

/** Open invitations. @param empresas null: every Empresa */
export const pendingConvites = (db: Database, empresas: readonly number[] | null, now: number): Pages<ConviteRow> =>
  pagesOf(
    db
      .selectFrom('convites')
      .selectAll()
      .where('expira_em', '>', now)
      .where('aceito_em', 'is', null)
      .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? [])),
  )

export const findConvite = (db: Database, id: number): Promise<ConviteRow | undefined> =>
  db.selectFrom('convites').selectAll().where('id', '=', id).where('aceito_em', 'is', null).executeTakeFirst()

/**
 * The pending invitation of a token, with its Empresa. undefined also if its inviter lost the role. A request that was
 * authenticated before may have stored it afterwards.
 */
export const findByToken = (db: Database, tokenHash: string, now: number) =>
  db
    .selectFrom('convites as c')
    .innerJoin('empresas as e', 'e.id', 'c.empresa_id')
    .innerJoin('usuarios as u', 'u.id', 'c.criado_por_id')
    .selectAll('c')
    .select(['e.nome as empresa_nome', 'u.empresa_id as empresa_de_quem', 'u.alcance as alcance_de_quem'])
    .where('c.token_hash', '=', tokenHash)
    .where('u.ativo', '=', 1)
    .where('u.papel', '=', 'administrador')
    .where('c.expira_em', '>', now)
    .where('c.aceito_em', 'is', null)
    .executeTakeFirst()

/** The login that an invitation made a moment ago. */
export const findAccepted = (db: Database, tokenHash: string, now: number) =>
  db
    .selectFrom('convites as c')
    .innerJoin('usuarios as u', 'u.username_chave', 'c.aceito_por')
    .select(['u.username', 'u.username_chave', 'u.senha_hash'])
    .where('c.token_hash', '=', tokenHash)
    .where('c.aceito_em', '>', now - AGAIN_MS)
    .executeTakeFirst()

/** Stores an invitation, and deletes those that have ended. */
export async function insertConvite(tx: Database, values: Insertable<Tables['convites']>): Promise<ConviteRow> {
  const now = values.criado_em
  await tx
    .deleteFrom('convites')
    .where((eb) => eb.or([eb('expira_em', '<=', now), eb('aceito_em', '<=', now - AGAIN_MS)]))
    .execute()
  return tx.insertInto('convites').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Returns the row before; undefined: it no longer exists. Only one of two simultaneous calls gets the row. */
export const useConvite = (
  tx: Database,
  id: number,
  used: { readonly aceito_em: number; readonly aceito_por: string },
): Promise<ConviteRow | undefined> =>
  tx
    .updateTable('convites')
    .set(used)
    .where('id', '=', id)
    .where('aceito_em', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Returns the deleted row; undefined: it no longer exists. Only one of two simultaneous calls gets the row. */
export const deleteConvite = (tx: Database, id: number): Promise<ConviteRow | undefined> =>
  tx.deleteFrom('convites').where('id', '=', id).where('aceito_em', 'is', null).returningAll().executeTakeFirst()
