import type { Insertable } from 'kysely'
import { type Pages, pagesOf } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { ConviteRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

/** Invitations that have not expired. @param empresas null: every Empresa */
export const pendingConvites = (db: Database, empresas: readonly number[] | null, now: number): Pages<ConviteRow> =>
  pagesOf(
    db
      .selectFrom('convites')
      .selectAll()
      .where('expira_em', '>', now)
      .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? [])),
  )

export const findConvite = (db: Database, id: number): Promise<ConviteRow | undefined> =>
  db.selectFrom('convites').selectAll().where('id', '=', id).executeTakeFirst()

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
    .select('e.nome as empresa_nome')
    .where('c.token_hash', '=', tokenHash)
    .where('u.ativo', '=', 1)
    .where('u.papel', '=', 'administrador')
    .where('c.expira_em', '>', now)
    .executeTakeFirst()

/** Stores an invitation, and deletes expired ones. */
export async function insertConvite(tx: Database, values: Insertable<Tables['convites']>): Promise<ConviteRow> {
  await tx.deleteFrom('convites').where('expira_em', '<=', values.criado_em).execute()
  return tx.insertInto('convites').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Returns the deleted row; undefined: it no longer exists. Of two calls at the same time, one gets the row. */
export const deleteConvite = (tx: Database, id: number): Promise<ConviteRow | undefined> =>
  tx.deleteFrom('convites').where('id', '=', id).returningAll().executeTakeFirst()
