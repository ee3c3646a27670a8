import { QUIOSQUE_PREFIXO } from '@vigia/contracts/quiosques'
import { tokenHash } from '../../../adapters/bearer-token.ts'
import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import { type Reaching, unpackAlcance } from '../../../db/alcance.ts'
import type { Database } from '../../../db/open.ts'
import type { Authenticate } from '../../../http/access.ts'
import type { Login } from '../../../http/caller.ts'
import { everyEffect } from '../../../http/effects.ts'
import { hiddenPlates } from '../../../scope/hidden-plates.ts'
import { isLost, narrower, scopeOf } from '../../../scope/scope-of.ts'
import { mustEnrol } from '../segundo-fator/requirement.ts'
import { findSession, findSessions, markSessionSeen } from './store.ts'

interface AuthenticateDeps {
  readonly db: Database
  readonly clock: Clock
  /** With a neutral domain, a session is valid only on the host that issued it; null: on any host. */
  readonly dominioNeutro: string | null
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

/** Minimum interval between two updates of the last use of a session. */
const SEEN_MS = 5 * 60_000

/** Returns the login or the quiosque of a session token with its current scope. */
export const createAuthenticate =
  (deps: AuthenticateDeps): Authenticate =>
  async (token, host) => {
    const { db, clock, dominioNeutro } = deps
    const hash = tokenHash(token)
    const now = clock.now()
    const session = hash === null ? undefined : await findSession(db, hash, 'token', now)
    if (!session) return null
    if (dominioNeutro !== null && host !== null && session.host !== host) return null
    return loginOf(deps, session, createRights(db), now)
  }

interface Check {
  readonly hash: string
  readonly settle: PromiseWithResolvers<Login | null>
}

/**
 * Checks the sessions of open streams. The checks that are requested in one turn of the event loop share their
 * statements, because one alert wakes many streams. A renewal ends the token that opened a stream, and the stream lives
 * as long as any token of its session. Its host was checked when it was opened.
 */
export function createAuthenticateStream(deps: AuthenticateDeps): (token: string) => Promise<Login | null> {
  let asked: Check[] = []

  async function checkAll(checks: readonly Check[]): Promise<void> {
    const now = deps.clock.now()
    const rights = createRights(deps.db)
    try {
      const sessions = await findSessions(deps.db, [...new Set(checks.map(({ hash }) => hash))], 'sessao', now)
      const byHash = new Map(sessions.map((session) => [session.token_hash, session]))
      for (const { hash, settle } of checks) {
        const session = byHash.get(hash)
        settle.resolve(session ? loginOf(deps, session, rights, now) : null)
      }
    } catch (error) {
      for (const { settle } of checks) settle.reject(error)
    }
  }

  return async (token) => {
    const hash = tokenHash(token)
    if (hash === null) return null
    if (asked.length === 0)
      setImmediate(() => {
        const checks = asked
        asked = []
        void checkAll(checks)
      })
    const settle = Promise.withResolvers<Login | null>()
    asked.push({ hash, settle })
    return settle.promise
  }
}

type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>

async function loginOf(
  { db, disk }: AuthenticateDeps,
  session: Session,
  rights: ReturnType<typeof createRights>,
  now: number,
): Promise<Login | null> {
  const { sessao_id: id, expira_em: expiraEm, renova_ate: renovaAte } = session
  const owner = await ownerOf(session, rights)
  if (owner === null) return null
  if (session.visto_em < now - SEEN_MS) await disk.tolerate(() => markSessionSeen(db, id, now))
  return { ...owner, sessao: { id, expiraEm, renovaAte } }
}

/** Rights by role, Empresa and reach, each read once. */
function createRights(db: Database) {
  const known = new Map<string, Promise<unknown>>()
  const once = <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
    const value = (known.get(key) as Promise<Value> | undefined) ?? read()
    known.set(key, value)
    return value
  }
  return {
    scope: (reach: Reaching) =>
      once(`escopo ${reach.papel} ${reach.empresa_id} ${reach.alcance}`, () => scopeOf(db, reach)),
    hiddenPlates: (papel: Login['papel'], escopo: Login['escopo']) =>
      once(`placas ${papel} ${escopo === 'tudo' ? escopo : [...escopo]}`, () => hiddenPlates(db, papel, escopo)),
    mustEnrol: (empresa_id: number | null, segundo_fator_ativo: 0 | 1) =>
      once(`fator ${segundo_fator_ativo} ${empresa_id}`, () => mustEnrol(db, { empresa_id, segundo_fator_ativo })),
  }
}

/**
 * null: a quiosque whose maker may no longer make it, or a list that lost its last Empresa. A quiosque has at most the
 * reach of its maker.
 */
async function ownerOf(session: Session, rights: ReturnType<typeof createRights>): Promise<Login | null> {
  const { empresa_id, alcance, usuario_id, username, papel_usuario, quiosque_id, quiosque_nome, papel_quiosque } =
    session
  if (quiosque_id !== null && quiosque_nome !== null && papel_quiosque !== null) {
    const maker = { papel: 'administrador', empresa_id: session.empresa_dono, alcance: session.alcance_dono } as const
    if (empresa_id === null || (await rights.mustEnrol(maker.empresa_id, session.fator_dono ?? 0))) return null
    const quiosque = { papel: papel_quiosque, empresa_id, alcance }
    const escopo = narrower(await rights.scope(quiosque), await rights.scope(maker))
    if (escopo !== 'tudo' && escopo.size === 0) return null
    return {
      usuarioId: null,
      username: QUIOSQUE_PREFIXO + quiosque_nome,
      quiosque: { id: quiosque_id, nome: quiosque_nome },
      ...(await rightsOf(quiosque, escopo, rights)),
    }
  }
  if (usuario_id === null || papel_usuario === null) throw new Error(`session ${session.sessao_id} without an owner`)
  const login = { papel: papel_usuario, empresa_id, alcance }
  const escopo = await rights.scope(login)
  if (isLost(login, escopo)) return null
  const faltaSegundoFator = await rights.mustEnrol(empresa_id, session.segundo_fator_ativo ?? 0)
  return {
    usuarioId: usuario_id,
    username,
    ...(await rightsOf(login, escopo, rights)),
    ...(faltaSegundoFator && { faltaSegundoFator }),
  }
}

const rightsOf = async (
  { papel, empresa_id: empresaId, alcance }: Reaching,
  escopo: Login['escopo'],
  rights: ReturnType<typeof createRights>,
) => ({
  papel,
  empresaId,
  alcance: unpackAlcance(alcance, papel),
  escopo,
  placasOcultas: await rights.hiddenPlates(papel, escopo),
  efeitos: everyEffect,
})
