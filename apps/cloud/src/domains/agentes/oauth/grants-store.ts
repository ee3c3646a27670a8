import type { Insertable } from 'kysely'
import { lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import { lifetimes } from './lifetimes.ts'

/** Authorizations with their client and the current state of their login. */
const authorizations = (db: Database) =>
  db
    .selectFrom('autorizacoes_oauth')
    .innerJoin('clientes_oauth', 'clientes_oauth.id', 'autorizacoes_oauth.cliente_id')
    .innerJoin('usuarios', 'usuarios.id', 'autorizacoes_oauth.usuario_id')
    .select([
      'autorizacoes_oauth.id',
      'autorizacoes_oauth.cliente_id',
      'autorizacoes_oauth.escopo',
      'autorizacoes_oauth.efeitos_json',
      'autorizacoes_oauth.alcance',
      'autorizacoes_oauth.recurso',
      'autorizacoes_oauth.usada_em',
      'autorizacoes_oauth.expira_em',
      'autorizacoes_oauth.revogada_em',
      'clientes_oauth.client_id',
      'clientes_oauth.nome',
      'usuarios.id as usuario_id',
      'usuarios.username',
      'usuarios.papel',
      'usuarios.empresa_id',
      'usuarios.alcance as alcance_login',
      'usuarios.ativo',
      'usuarios.segundo_fator_ativo',
    ])

export type AuthorizationRow = Awaited<ReturnType<ReturnType<typeof authorizations>['executeTakeFirstOrThrow']>>

/** Neither revoked nor expired, and its login is active. */
export const isAlive = (row: AuthorizationRow, now: number): boolean =>
  row.revogada_em === null && row.expira_em > now && row.ativo === 1

export const insertAuthorization = async (
  db: Database,
  values: Omit<Insertable<Tables['autorizacoes_oauth']>, 'id'>,
): Promise<number> => {
  const { id } = await db.insertInto('autorizacoes_oauth').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export const markAuthorizationUsed = async (db: Database, id: number, now: number): Promise<void> => {
  await db.updateTable('autorizacoes_oauth').set({ usada_em: now }).where('id', '=', id).execute()
}

export const insertCode = async (db: Database, values: Insertable<Tables['codigos_oauth']>): Promise<void> => {
  await db.insertInto('codigos_oauth').values(values).execute()
}

/** Locks the authorization of a code, then reads both. `uso`: time of an earlier use. */
export async function takeCode(tx: Database, hash: string) {
  const of = tx.selectFrom('codigos_oauth').select('autorizacao_id').where('codigo_hash', '=', hash)
  await lockAuthorization(tx, await of.executeTakeFirst())
  return authorizations(tx)
    .innerJoin('codigos_oauth', 'codigos_oauth.autorizacao_id', 'autorizacoes_oauth.id')
    .select([
      'codigos_oauth.redirect_uri',
      'codigos_oauth.code_challenge',
      'codigos_oauth.expira_em as fim',
      'codigos_oauth.usado_em as uso',
    ])
    .where('codigos_oauth.codigo_hash', '=', hash)
    .executeTakeFirst()
}

/** A code or token never changes its authorization. */
async function lockAuthorization(tx: Database, of: { readonly autorizacao_id: number } | undefined): Promise<void> {
  if (of) await lockRow(tx, 'autorizacoes_oauth', of.autorizacao_id)
}

export const burnCode = async (db: Database, hash: string, now: number): Promise<void> => {
  await db.updateTable('codigos_oauth').set({ usado_em: now }).where('codigo_hash', '=', hash).execute()
}

export const insertRefresh = async (db: Database, values: Insertable<Tables['renovacoes_oauth']>): Promise<void> => {
  await db.insertInto('renovacoes_oauth').values(values).execute()
}

export const findRefresh = (db: Database, hash: string) =>
  authorizations(db)
    .innerJoin('renovacoes_oauth', 'renovacoes_oauth.autorizacao_id', 'autorizacoes_oauth.id')
    .select([
      'renovacoes_oauth.expira_em as fim',
      'renovacoes_oauth.usada_em as uso',
      'renovacoes_oauth.repetida_em as repeticao',
    ])
    .where('renovacoes_oauth.token_hash', '=', hash)
    .executeTakeFirst()

/** Locks the authorization of a refresh token, then reads both. */
export async function takeRefresh(tx: Database, hash: string) {
  const of = tx.selectFrom('renovacoes_oauth').select('autorizacao_id').where('token_hash', '=', hash)
  await lockAuthorization(tx, await of.executeTakeFirst())
  return findRefresh(tx, hash)
}

/** Issue times of the newest refresh tokens of an authorization in epoch ms, newest first. */
export async function latestRefreshes(db: Database, autorizacaoId: number, most: number): Promise<number[]> {
  const rows = await db
    .selectFrom('renovacoes_oauth')
    .select('criada_em')
    .where('autorizacao_id', '=', autorizacaoId)
    .orderBy('criada_em', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ criada_em }) => criada_em)
}

/** Records the first use of a refresh token, or the second one within its grace. */
export const burnRefresh = async (
  db: Database,
  hash: string,
  used: { readonly usada_em: number } | { readonly repetida_em: number },
): Promise<void> => {
  await db.updateTable('renovacoes_oauth').set(used).where('token_hash', '=', hash).execute()
}

export const insertAccess = async (db: Database, values: Insertable<Tables['acessos_oauth']>): Promise<void> => {
  await db.insertInto('acessos_oauth').values(values).execute()
}

/** The authorization of an unexpired access token. */
export const findAccess = (db: Database, jti: string, now: number): Promise<AuthorizationRow | undefined> =>
  authorizations(db)
    .innerJoin('acessos_oauth', 'acessos_oauth.autorizacao_id', 'autorizacoes_oauth.id')
    .where('acessos_oauth.jti', '=', jti)
    .where('acessos_oauth.expira_em', '>', now)
    .executeTakeFirst()

/**
 * Deletes tokens, codes, tickets and authorizations after their retention time. Must be the first statement of its
 * transaction: SQLite rejects a transaction that reads before it writes if another process has written in between.
 */
export async function deleteDeadGrants(db: Database, now: number): Promise<void> {
  await db.deleteFrom('acessos_oauth').where('expira_em', '<=', now).execute()
  await db.deleteFrom('renovacoes_oauth').where('expira_em', '<=', now).execute()
  await db
    .deleteFrom('codigos_oauth')
    .where('expira_em', '<=', now - lifetimes.deadCode)
    .execute()
  await db.deleteFrom('consentimentos_oauth').where('expira_em', '<=', now).execute()
  await db
    .deleteFrom('autorizacoes_oauth')
    .where((eb) =>
      eb.or([
        eb('expira_em', '<=', now - lifetimes.deadAuthorization),
        eb('revogada_em', '<=', now - lifetimes.deadAuthorization),
        eb.and([eb('usada_em', 'is', null), eb('criada_em', '<=', now - lifetimes.code - lifetimes.deadCode)]),
      ]),
    )
    .execute()
}
