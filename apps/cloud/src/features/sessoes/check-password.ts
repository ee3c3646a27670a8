import { VigiaError } from '@vigia/contracts/errors'
import type { FailureLimit } from '../../adapters/rate-limits/interface.ts'
import type { Database } from '../../db/open.ts'
import type { Passwords } from '../usuarios/passwords.ts'
import { findUsuarioByChave, type UsuarioRow } from '../usuarios/store.ts'
import { usernameKey } from '../usuarios/username.ts'
import { type LoginsOfHost, loginsOn } from './host-rule.ts'

export interface CheckPasswordDeps {
  readonly db: Database
  readonly passwords: Passwords
  readonly loginLimit: FailureLimit
  /** VIGIA_DOMINIO_NEUTRO; null: every login works on every host. */
  readonly dominioNeutro: string | null
}

export interface PasswordInput {
  readonly username: string
  readonly password: string
  readonly address: string
  /** Lower case, without a port. */
  readonly host: string
}

/**
 * The login whose password this is: the one way to check one, at every door that takes it. The row is as it was when it was
 * read: whoever issues something on it compares `senha_hash` and `ativo` again in the transaction that does.
 * @throws VigiaError `nao_autenticado`, with the same words and in the same time whether the login exists, is switched
 * off, or has no business on this host; `proibido` on a host that is none of this installation's; `muitas_requisicoes`.
 */
export async function checkPassword(deps: CheckPasswordDeps, input: PasswordInput): Promise<UsuarioRow> {
  const logins = await loginsOn(deps.db, deps.dominioNeutro, input.host)
  return deps.loginLimit.guard(usernameKey(input.username), input.address, () => verify(deps, input, logins))
}

export const wrongPassword = () => new VigiaError('nao_autenticado', { detalhe: 'Usuário ou senha incorretos.' })

/** @throws VigiaError `nao_autenticado`. */
async function verify(
  deps: CheckPasswordDeps,
  { username, password }: PasswordInput,
  logins: LoginsOfHost,
): Promise<UsuarioRow> {
  const found = await findUsuarioByChave(deps.db, usernameKey(username))
  const user = found?.ativo === 1 && mayEnter(found, logins) ? found : undefined
  // Always verified, against a hash of nothing where need be: the time tells nothing.
  const matches = await deps.passwords.verify(user?.senha_hash ?? null, password)
  if (!user || !matches) throw wrongPassword()
  return user
}

const mayEnter = ({ empresa_id }: UsuarioRow, logins: LoginsOfHost): boolean =>
  logins === 'todos' || (empresa_id !== null && logins.has(empresa_id))
