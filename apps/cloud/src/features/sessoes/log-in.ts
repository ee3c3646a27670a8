import { VigiaError } from '@vigia/contracts/errors'
import { SESSAO_S } from '@vigia/contracts/sessoes'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Passwords } from '../usuarios/passwords.ts'
import { findUsuarioByChave } from '../usuarios/store.ts'
import { usernameKey } from '../usuarios/username.ts'
import type { LoginLimit } from './login-limit.ts'
import { insertSession } from './store.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface LogInDeps {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
  readonly loginLimit: LoginLimit
}

/**
 * Checks a password and issues a session token (1 h from now). Public: it is how one comes to be a caller.
 * @throws VigiaError `nao_autenticado`, with the same words and in the same time whether or not the login exists;
 * `muitas_requisicoes`.
 */
export async function logIn(
  deps: LogInDeps,
  input: { readonly username: string; readonly password: string; readonly address: string },
): Promise<string> {
  const usuarioId = await deps.loginLimit.guard(usernameKey(input.username), input.address, () =>
    checkPassword(deps, input),
  )
  const token = newToken()
  const now = deps.clock.now()
  const session = { token_hash: tokenHash(token) ?? '', usuario_id: usuarioId, expira_em: now + SESSAO_S * 1000 }
  await insertSession(deps.db, session, now)
  return token
}

/** @returns the login's id. @throws VigiaError `nao_autenticado`. */
async function checkPassword(
  deps: LogInDeps,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<number> {
  const user = await findUsuarioByChave(deps.db, usernameKey(username))
  const matches = await deps.passwords.verify(user?.senha_hash ?? null, password)
  if (!user || !matches) throw new VigiaError('nao_autenticado', { detalhe: 'Usuário ou senha incorretos.' })
  return user.id
}
