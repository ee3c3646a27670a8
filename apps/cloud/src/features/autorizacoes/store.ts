import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'

/** Whose authorizations. */
export interface AuthorizationFilter {
  /** Of logins of these Empresas; null: of every login. */
  readonly empresas: readonly number[] | null
  /** Of this login alone; null: of all of them. */
  readonly usuarioId: number | null
}

/**
 * Those by which an agent gets in at `now` (epoch ms), or still can: not taken back, the login on, and a code or a refresh
 * token that has not expired. An access token never outlives the refresh token that came with it.
 */
const live = (db: Database, now: number, { empresas, usuarioId }: AuthorizationFilter) =>
  db
    .selectFrom('autorizacoes_oauth as a')
    .innerJoin('clientes_oauth as c', 'c.id', 'a.cliente_id')
    .innerJoin('usuarios as u', 'u.id', 'a.usuario_id')
    .where('a.revogada_em', 'is', null)
    .where('a.expira_em', '>', now)
    .where('u.ativo', '=', 1)
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
    .$if(empresas !== null, (qb) => qb.where('u.empresa_id', 'in', empresas ?? []))
    .$if(usuarioId !== null, (qb) => qb.where('a.usuario_id', '=', usuarioId ?? 0))

const selected = (db: Database, now: number, filter: AuthorizationFilter) =>
  live(db, now, filter).select([
    'a.id',
    'a.usuario_id',
    'a.escopo',
    'a.criada_em',
    'a.usada_em',
    'a.expira_em',
    'c.nome as cliente_nome',
    'c.client_id',
    'c.redirect_uris_json',
    'u.username',
    'u.empresa_id',
  ])

/** Newest first. */
export const listAuthorizations = (
  db: Database,
  now: number,
  filter: AuthorizationFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) => selected(db, now, filter).orderBy('a.id', 'desc').limit(limit).offset(offset).execute()

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
): Promise<AuthorizationRow | undefined> => selected(db, now, filter).where('a.id', '=', id).executeTakeFirst()

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

/** The same of everything that a login allowed. */
export const revokeAuthorizationsOf = async (db: Database, usuarioId: number, now: number): Promise<void> => {
  await db
    .updateTable('autorizacoes_oauth')
    .set({ revogada_em: now })
    .where('usuario_id', '=', usuarioId)
    .where('revogada_em', 'is', null)
    .execute()
}

/** The same of everything that was allowed on these hosts (lower case, no port). */
export const revokeAuthorizationsOn = async (db: Database, hosts: readonly string[], now: number): Promise<void> => {
  for (const host of hosts)
    await db
      .updateTable('autorizacoes_oauth')
      .set({ revogada_em: now })
      .where(sql<boolean>`(recurso glob ${`http*://${host}/*`} or recurso glob ${`http*://${host}:*`})`)
      .where('revogada_em', 'is', null)
      .execute()
}
