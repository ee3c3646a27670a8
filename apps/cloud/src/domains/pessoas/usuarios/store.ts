import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

/** Ordered by id. @param empresaIds null: all logins, also those without an Empresa */
export const listUsuarios = (
  db: Database,
  empresaIds: readonly number[] | null,
  after: number | null,
  limit: number,
): Promise<UsuarioRow[]> =>
  db
    .selectFrom('usuarios')
    .selectAll()
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .$if(after !== null, (qb) => qb.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()

/** @param empresaIds null: all Empresas. */
export async function countUsuarios(db: Database, empresaIds: readonly number[] | null): Promise<number> {
  const { n } = await db
    .selectFrom('usuarios')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Whether at least one operator is active. */
export const hasActiveOperator = async (db: Database): Promise<boolean> =>
  (await db
    .selectFrom('usuarios')
    .select('id')
    .where('papel', '=', 'administrador')
    .where('empresa_id', 'is', null)
    .where('ativo', '=', 1)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** @throws unique violation (db/errors.ts) when the username is taken */
export const insertUsuario = (db: Database, values: Insertable<Tables['usuarios']>): Promise<UsuarioRow> =>
  db.insertInto('usuarios').values(values).returningAll().executeTakeFirstOrThrow()

/** Returns the changed row; undefined: no such login. */
export const updateUsuario = (
  db: Database,
  id: number,
  changes: Updateable<Tables['usuarios']>,
): Promise<UsuarioRow | undefined> =>
  db.updateTable('usuarios').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

/** Also deletes its sessions. Returns the deleted row; undefined: no such login. */
export const deleteUsuario = (db: Database, id: number): Promise<UsuarioRow | undefined> =>
  db.deleteFrom('usuarios').where('id', '=', id).returningAll().executeTakeFirst()
