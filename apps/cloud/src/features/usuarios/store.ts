import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

export type UsuarioRow = Selectable<Tables['usuarios']>

/** In order of id. @param empresaIds null: every login, also those without an Empresa. */
export const listUsuarios = (db: Database, empresaIds: readonly number[] | null): Promise<UsuarioRow[]> =>
  db
    .selectFrom('usuarios')
    .selectAll()
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .orderBy('id')
    .execute()

/** @param chave usernameKey of the username. */
export const findUsuarioByChave = (db: Database, chave: string): Promise<UsuarioRow | undefined> =>
  db.selectFrom('usuarios').selectAll().where('username_chave', '=', chave).executeTakeFirst()

export const findUsuario = (db: Database, id: number): Promise<UsuarioRow | undefined> =>
  db.selectFrom('usuarios').selectAll().where('id', '=', id).executeTakeFirst()

/** The first operator of the installation: an administrator that no Empresa ties down. */
export const findOperator = (db: Database): Promise<UsuarioRow | undefined> =>
  db
    .selectFrom('usuarios')
    .selectAll()
    .where('papel', '=', 'administrador')
    .where('empresa_id', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Whether some operator is left that can sign in. */
export const hasActiveOperator = async (db: Database): Promise<boolean> =>
  (await db
    .selectFrom('usuarios')
    .select('id')
    .where('papel', '=', 'administrador')
    .where('empresa_id', 'is', null)
    .where('ativo', '=', 1)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** @throws a unique violation (db/errors.ts) when the username is taken. */
export const insertUsuario = (db: Database, values: Insertable<Tables['usuarios']>): Promise<UsuarioRow> =>
  db.insertInto('usuarios').values(values).returningAll().executeTakeFirstOrThrow()

/** Returns the row as it is then; undefined: there is none. */
export const updateUsuario = (
  db: Database,
  id: number,
  changes: Updateable<Tables['usuarios']>,
): Promise<UsuarioRow | undefined> =>
  db.updateTable('usuarios').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

/**
 * Locks the login's row until the transaction ends, unless password or second factor were changed or it was switched off
 * since it was `seen`: then false.
 */
export const lockAsSeen = async (tx: Database, seen: UsuarioRow): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('usuarios')
    .set({ ativo: 1 })
    .where('id', '=', seen.id)
    .where('ativo', '=', 1)
    .where('senha_hash', '=', seen.senha_hash)
    .where('segundo_fator_ativo', '=', seen.segundo_fator_ativo)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Its sessions go with it. Returns the row as it was; undefined: there was none. */
export const deleteUsuario = (db: Database, id: number): Promise<UsuarioRow | undefined> =>
  db.deleteFrom('usuarios').where('id', '=', id).returningAll().executeTakeFirst()
