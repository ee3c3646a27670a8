import { VigiaError } from '@vigia/contracts/errors'
import { SESSAO_S } from '@vigia/contracts/sessoes'
import type { Clock } from '../../adapters/clock.ts'
import type { FailureLimit } from '../../adapters/rate-limits/interface.ts'
import type { Database } from '../../db/open.ts'
import type { Passwords } from '../usuarios/passwords.ts'
import { findUsuarioByChave, type UsuarioRow } from '../usuarios/store.ts'
import { usernameKey } from '../usuarios/username.ts'
import { type LoginsOfHost, loginsOn } from './host-rule.ts'
import { insertSession } from './store.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface LogInDeps {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
  readonly loginLimit: FailureLimit
  /** VIGIA_DOMINIO_NEUTRO; null: every login works on every host. */
  readonly dominioNeutro: string | null
}

interface LogInInput {
  readonly username: string
  readonly password: string
  readonly address: string
  /** Lower case, without a port. */
  readonly host: string
}

/**
 * Checks a password and issues a session token (1 h from now), which is bound to the host. Public: it is how one comes to
 * be a caller.
 * @throws VigiaError `nao_autenticado`, with the same words and in the same time whether the login exists, is switched
 * off, or has no business on this host; `proibido` on a host that is none of this installation's; `muitas_requisicoes`.
 */
export async function logIn(deps: LogInDeps, input: LogInInput): Promise<string> {
  const logins = await loginsOn(deps.db, deps.dominioNeutro, input.host)
  const user = await deps.loginLimit.guard(usernameKey(input.username), input.address, () =>
    checkPassword(deps, input, logins),
  )
  const token = newToken()
  const now = deps.clock.now()
  const session = {
    token_hash: tokenHash(token) ?? '',
    usuario_id: user.id,
    expira_em: now + SESSAO_S * 1000,
    host: input.host,
  }
  if (!(await insertSession(deps.db, session, user.senha_hash, now))) throw refused()
  return token
}

const refused = () => new VigiaError('nao_autenticado', { detalhe: 'Usuário ou senha incorretos.' })

/** @throws VigiaError `nao_autenticado`. */
async function checkPassword(
  deps: LogInDeps,
  { username, password }: LogInInput,
  logins: LoginsOfHost,
): Promise<UsuarioRow> {
  const found = await findUsuarioByChave(deps.db, usernameKey(username))
  const user = found?.ativo === 1 && mayEnter(found, logins) ? found : undefined
  // Always verified, against a hash of nothing where need be: the time tells nothing.
  const matches = await deps.passwords.verify(user?.senha_hash ?? null, password)
  if (!user || !matches) throw refused()
  return user
}

const mayEnter = ({ empresa_id }: UsuarioRow, logins: LoginsOfHost): boolean =>
  logins === 'todos' || (empresa_id !== null && logins.has(empresa_id))
