import type { Selectable } from 'kysely'
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

/** @throws a unique violation (db/errors.ts) when the username is taken. */
export const insertUsuario = (db: Database, values: Omit<UsuarioRow, 'id'>): Promise<UsuarioRow> =>
  db.insertInto('usuarios').values(values).returningAll().executeTakeFirstOrThrow()
