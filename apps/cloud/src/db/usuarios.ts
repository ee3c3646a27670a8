import type { Database } from './open.ts'
import type { UsuarioRow } from './rows.ts'

export const findUsuario = (db: Database, id: number): Promise<UsuarioRow | undefined> =>
  db.selectFrom('usuarios').selectAll().where('id', '=', id).executeTakeFirst()

/** @param chave usernameKey of the username. */
export const findUsuarioByChave = (db: Database, chave: string): Promise<UsuarioRow | undefined> =>
  db.selectFrom('usuarios').selectAll().where('username_chave', '=', chave).executeTakeFirst()

/** The first operator of the installation: an administrador without an Empresa. */
export const findOperator = (db: Database): Promise<UsuarioRow | undefined> =>
  db
    .selectFrom('usuarios')
    .selectAll()
    .where('papel', '=', 'administrador')
    .where('empresa_id', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
