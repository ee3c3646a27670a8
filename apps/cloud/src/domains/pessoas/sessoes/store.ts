import type { Insertable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { SessaoRow, UsuarioRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

/**
 * The session of a token, and its login or quiosque with the administrador who made it.
 * @param until `token`: the token is valid; `sessao`: any token of its session is, for a stream that this one opened
 */
export const findSession = (db: Database, tokenHash: string, until: 'token' | 'sessao', now: number) =>
  selectSessions(db, [tokenHash], until, now).executeTakeFirst()

/** Hashes of one statement; SQLite accepts 32,766 values. */
const HASHES_AT_ONCE = 1_000

/** The sessions of many tokens, each with its `token_hash`. */
export async function findSessions(db: Database, hashes: readonly string[], until: 'token' | 'sessao', now: number) {
  const found: Awaited<ReturnType<ReturnType<typeof selectSessions>['execute']>> = []
  for (let i = 0; i < hashes.length; i += HASHES_AT_ONCE)
    found.push(...(await selectSessions(db, hashes.slice(i, i + HASHES_AT_ONCE), until, now).execute()))
  return found
}

const selectSessions = (db: Database, hashes: readonly string[], until: 'token' | 'sessao', now: number) =>
  db
    .selectFrom('tokens_sessao as t')
    .innerJoin('sessoes as s', 's.id', 't.sessao_id')
    .leftJoin('usuarios as u', 'u.id', 's.usuario_id')
    .leftJoin('quiosques as q', 'q.id', 's.quiosque_id')
    .leftJoin('usuarios as d', 'd.id', 'q.usuario_id')
    .select([
      't.token_hash',
      's.id as sessao_id',
      's.host',
      's.renova_ate',
      's.visto_em',
      't.expira_em',
      'u.id as usuario_id',
      'u.username',
      'u.papel as papel_usuario',
      'u.segundo_fator_ativo',
      'q.id as quiosque_id',
      'q.nome as quiosque_nome',
      'q.papel as papel_quiosque',
      'd.empresa_id as empresa_dono',
      'd.alcance as alcance_dono',
      'd.segundo_fator_ativo as fator_dono',
    ])
    .select(({ fn }) => fn.coalesce('u.empresa_id', 'q.empresa_id').as('empresa_id'))
    .select(({ fn }) => fn.coalesce('u.alcance', 'q.alcance').as('alcance'))
    .where('t.token_hash', 'in', hashes)
    .where(until === 'token' ? 't.expira_em' : 's.expira_em', '>', now)
    .where(({ and, eb, or }) =>
      or([
        eb('u.ativo', '=', 1),
        and([eb('q.expira_em', '>', now), eb('d.ativo', '=', 1), eb('d.papel', '=', 'administrador')]),
      ]),
    )

interface NewToken {
  readonly token_hash: string
  readonly expira_em: number
}

/** Open sessions of one login; a further sign-in ends the oldest. */
export const MOST_SESSIONS = 100

/** Stores a session with its first token, and deletes ended ones and those beyond the newest of its login. */
export async function insertSession(
  tx: Database,
  session: Omit<Insertable<Tables['sessoes']>, 'id' | 'expira_em' | 'visto_em'>,
  token: NewToken,
  now: number,
): Promise<void> {
  await tx.deleteFrom('sessoes').where('expira_em', '<=', now).execute()
  const { id } = await tx
    .insertInto('sessoes')
    .values({ ...session, expira_em: token.expira_em, visto_em: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('tokens_sessao')
    .values({ ...token, sessao_id: id })
    .execute()
  if (session.usuario_id != null) await deleteOldest(tx, session.usuario_id)
}

async function deleteOldest(tx: Database, usuarioId: number): Promise<void> {
  const own = tx.selectFrom('sessoes').select('id').where('usuario_id', '=', usuarioId)
  const oldest = await own.orderBy('id', 'desc').limit(1).offset(MOST_SESSIONS).executeTakeFirst()
  if (oldest) await tx.deleteFrom('sessoes').where('usuario_id', '=', usuarioId).where('id', '<=', oldest.id).execute()
}

/** Locks the session until the transaction ends; undefined: it has ended. */
export const lockSession = (tx: Database, id: number, now: number) =>
  tx
    .updateTable('sessoes')
    .set({ visto_em: now })
    .where('id', '=', id)
    .where('expira_em', '>', now)
    .returning(['id', 'usuario_id', 'quiosque_id', 'renova_ate', 'expira_em'])
    .executeTakeFirst()

/** Adds a token to a locked session, and ends the one that it replaces at `oldUntil` at the latest. */
export async function addToken(
  tx: Database,
  session: { readonly id: number; readonly expira_em: number },
  token: NewToken,
  old: { readonly token_hash: string; readonly until: number },
): Promise<void> {
  await tx
    .updateTable('tokens_sessao')
    .set({ expira_em: old.until })
    .where('token_hash', '=', old.token_hash)
    .where('expira_em', '>', old.until)
    .execute()
  await tx
    .insertInto('tokens_sessao')
    .values({ ...token, sessao_id: session.id })
    .execute()
  const expira_em = Math.max(session.expira_em, token.expira_em)
  await tx.updateTable('sessoes').set({ expira_em }).where('id', '=', session.id).execute()
}

export const markSessionSeen = async (db: Database, id: number, now: number): Promise<void> => {
  await db.updateTable('sessoes').set({ visto_em: now }).where('id', '=', id).execute()
}

/** Ends a session with all its tokens. false: it had ended before. */
export const deleteSession = async (db: Database, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('sessoes').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Maximum number of sessions that a list shows. */
const LIST_MAX = 200

/** Sessions of a login that have not ended, the last used one first. */
export const listSessionsOf = (db: Database, usuarioId: number, now: number): Promise<SessaoRow[]> =>
  db
    .selectFrom('sessoes')
    .selectAll()
    .where('usuario_id', '=', usuarioId)
    .where('expira_em', '>', now)
    .orderBy('visto_em', 'desc')
    .orderBy('id', 'desc')
    .limit(LIST_MAX)
    .execute()

/** Ends a session of that login. Returns its row; undefined: the login has no such session. */
export const deleteSessionOf = (tx: Database, id: number, usuarioId: number): Promise<SessaoRow | undefined> =>
  tx.deleteFrom('sessoes').where('id', '=', id).where('usuario_id', '=', usuarioId).returningAll().executeTakeFirst()

/** Replaces the password of an active login and locks its row. false: the login has changed since `seen`. */
export const replacePassword = async (tx: Database, seen: UsuarioRow, senha_hash: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('usuarios')
    .set({ senha_hash })
    .where('id', '=', seen.id)
    .where('ativo', '=', 1)
    .where('senha_hash', '=', seen.senha_hash)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
