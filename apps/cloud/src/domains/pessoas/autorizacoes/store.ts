import { sql } from 'kysely'
import { selectStandingAgents, standing } from '../../../db/autorizacoes.ts'
import { pagesOf } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'

/** Whose authorizations. */
export interface AuthorizationFilter {
  /** Only logins of these Empresas; null: all logins. */
  readonly empresas: readonly number[] | null
  /** Only this login; null: all logins. */
  readonly usuarioId: number | null
}

const shown = [
  'a.id',
  'a.usuario_id',
  'a.escopo',
  'a.efeitos_json',
  'a.alcance',
  'u.alcance as alcance_login',
  'u.papel',
  'a.criada_em',
  'a.usada_em',
  'a.expira_em',
  'c.nome',
  'c.client_id',
  'c.redirect_uris_json',
  'u.username',
  'u.empresa_id',
] as const

const live = (db: Database, now: number, { empresas, usuarioId }: AuthorizationFilter) =>
  selectStandingAgents(db, now)
    .$if(empresas !== null, (qb) => qb.where('u.empresa_id', 'in', empresas ?? []))
    .$if(usuarioId !== null, (qb) => qb.where('a.usuario_id', '=', usuarioId ?? 0))

export const authorizationsOf = (db: Database, now: number, filter: AuthorizationFilter) =>
  pagesOf(live(db, now, filter).select(shown), 'a.id')

export type AuthorizationRow = Awaited<ReturnType<ReturnType<typeof authorizationsOf>['read']>>[number]

/** undefined: missing, or no longer valid. */
export const findAuthorization = (
  db: Database,
  now: number,
  filter: AuthorizationFilter,
  id: number,
): Promise<AuthorizationRow | undefined> =>
  live(db, now, filter).select(shown).where('a.id', '=', id).executeTakeFirst()

const hostMatches = (host: string) => {
  const literal = host.replaceAll(/[\\%_]/g, String.raw`\$&`)
  const like = (rest: string) => sql<boolean>`recurso like ${`http%://${literal}${rest}%`} escape '\\'`
  return sql<boolean>`(${like('/')} or ${like(':')})`
}

/** All authorizations of one login, or of these hosts (lower case, no port). */
export type Allowed = { readonly usuarioId: number } | { readonly hosts: readonly string[] }

/** Revokes all authorizations of `which`. Returns the rows that were still valid. */
export async function revokeAllOf(tx: Database, which: Allowed, now: number): Promise<AuthorizationRow[]> {
  const ids = tx
    .selectFrom('autorizacoes_oauth')
    .select('id')
    .where('revogada_em', 'is', null)
    .where((eb) =>
      'usuarioId' in which
        ? eb('usuario_id', '=', which.usuarioId)
        : eb.or(which.hosts.map((host) => hostMatches(host))),
    )
  const rows = await standing(tx, now).select(shown).where('a.id', 'in', ids).orderBy('a.id').execute()
  await tx.updateTable('autorizacoes_oauth').set({ revogada_em: now }).where('id', 'in', ids).execute()
  return rows
}
