import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { PageRows } from '../../http/page-cursor.ts'

/** Whose authorizations. */
export interface AuthorizationFilter {
  /** Of logins of these Empresas; null: of every login. */
  readonly empresas: readonly number[] | null
  /** Of this login alone; null: of all of them. */
  readonly usuarioId: number | null
}

/**
 * Those by which an agent gets in at `now` (epoch ms), or still can, if the login is on: not taken back, and a code or a
 * refresh token that has not expired. An access token never outlives the refresh token that came with it.
 */
const standing = (db: Database, now: number) =>
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

const shown = [
  'a.id',
  'a.usuario_id',
  'a.escopo',
  'a.criada_em',
  'a.usada_em',
  'a.expira_em',
  'c.nome',
  'c.client_id',
  'c.redirect_uris_json',
  'u.username',
  'u.empresa_id',
] as const

/** Authorizations by which an agent gets in at `now`, or still can. */
export const selectStandingAgents = (db: Database, now: number) => standing(db, now).where('u.ativo', '=', 1)

const live = (db: Database, now: number, { empresas, usuarioId }: AuthorizationFilter) =>
  selectStandingAgents(db, now)
    .$if(empresas !== null, (qb) => qb.where('u.empresa_id', 'in', empresas ?? []))
    .$if(usuarioId !== null, (qb) => qb.where('a.usuario_id', '=', usuarioId ?? 0))

/** Newest first. */
export const listAuthorizations = (
  db: Database,
  now: number,
  filter: AuthorizationFilter,
  { before, limit, offset }: PageRows,
) =>
  live(db, now, filter)
    .$if(before !== null, (qb) => qb.where('a.id', '<', before ?? 0))
    .select(shown)
    .orderBy('a.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export type AuthorizationRow = Awaited<ReturnType<typeof listAuthorizations>>[number]

export async function countAuthorizations(db: Database, now: number, filter: AuthorizationFilter): Promise<number> {
  const { n } = await live(db, now, filter)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** undefined: not there, or no agent gets in by it any more. */
export const findAuthorization = (
  db: Database,
  now: number,
  filter: AuthorizationFilter,
  id: number,
): Promise<AuthorizationRow | undefined> =>
  live(db, now, filter).select(shown).where('a.id', '=', id).executeTakeFirst()

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

/** What one login allowed, or what was allowed on these hosts (lower case, no port). */
export type Allowed = { readonly usuarioId: number } | { readonly hosts: readonly string[] }

/** The same of everything of `which`. Returns those by which an agent could get in until then. */
export async function revokeAllOf(trx: Database, which: Allowed, now: number): Promise<AuthorizationRow[]> {
  const ids = trx
    .selectFrom('autorizacoes_oauth')
    .select('id')
    .where('revogada_em', 'is', null)
    .where((eb) =>
      'usuarioId' in which
        ? eb('usuario_id', '=', which.usuarioId)
        : eb.or(
            which.hosts.map(
              (host) => sql<boolean>`(recurso glob ${`http*://${host}/*`} or recurso glob ${`http*://${host}:*`})`,
            ),
          ),
    )
  const rows = await standing(trx, now).select(shown).where('a.id', 'in', ids).orderBy('a.id').execute()
  await trx.updateTable('autorizacoes_oauth').set({ revogada_em: now }).where('id', 'in', ids).execute()
  return rows
}
