import { VigiaError } from '@vigia/contracts/errors'
import type { FailureLimit } from '../../../adapters/rate-limits/interface.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { findUsuario, findUsuarioByChave } from '../../../db/usuarios.ts'
import { isLost, scopeOf } from '../../../scope/scope-of.ts'
import { type CheckFactorDeps, checkFactor, type Fator } from '../segundo-fator/check-factor.ts'
import { fingerprint } from '../usuarios/fingerprint.ts'
import type { Passwords } from '../usuarios/passwords.ts'
import { usernameKey } from '../usuarios/username.ts'
import { type LoginsOfHost, loginsOn } from './host-rule.ts'
import { openTicket, sealTicket, type Ticket } from './password-ticket.ts'

export interface CheckPasswordDeps extends CheckFactorDeps {
  readonly passwords: Passwords
  readonly loginLimit: FailureLimit
  /** VIGIA_DOMINIO_NEUTRO; null: every login works on every host. */
  readonly dominioNeutro: string | null
}

interface From {
  readonly address: string
  /** Lower case, without a port. */
  readonly host: string
}

export interface PasswordInput extends From {
  readonly username: string
  readonly password: string
  /** Code of the second factor. */
  readonly codigo?: string | undefined
}

export interface TicketInput extends From {
  readonly bilhete: string
  readonly codigo: string
}

/** A fully authenticated login. */
export interface Entrada {
  readonly usuario: UsuarioRow
  readonly fator: Fator
}

/** Data for the page that asks for the code after a correct password; `bilhete` is its hidden field. */
export interface CodeWanted {
  readonly bilhete: string
  readonly username: string
}

/**
 * Checks the password and, if enabled, the second factor. All interfaces use this function. The returned
 * row may be outdated later. A caller that issues a session or a code compares it again in its transaction
 * (db/locks.ts, `lockAsSeen`).
 * @throws VigiaError `nao_autenticado`, with the same sentence and duration for a missing, inactive or foreign login;
 * with `segundoFator` if only the code is wrong. `proibido` on an unknown host, or without an Empresa in
 * reach; `muitas_requisicoes`.
 */
export async function checkPassword(deps: CheckPasswordDeps, input: PasswordInput): Promise<Entrada> {
  const logins = await loginsOn(deps.db, deps.dominioNeutro, input.host)
  return deps.loginLimit.guard(usernameKey(input.username), input.address, async () => {
    const usuario = await verify(deps, input, logins)
    return { usuario, fator: await checkFactor(deps, usuario, input.codigo, input.address) }
  })
}

/** The same for a form without scripts. If only the code is missing or wrong, returns the data of its second page. */
export async function checkPasswordOfForm(
  deps: CheckPasswordDeps,
  input: PasswordInput,
): Promise<Entrada | (CodeWanted & { readonly error: VigiaError })> {
  try {
    return await checkPassword(deps, input)
  } catch (error) {
    if (!(error instanceof VigiaError) || !error.segundoFator) throw error
    const usuario = await findUsuarioByChave(deps.db, usernameKey(input.username))
    if (!usuario) throw error
    return { bilhete: sealTicket(deps, usuario, input.host), username: usuario.username, error }
  }
}

/**
 * Checks the second page of a form: the ticket of a correct password, and the code.
 * @returns null: the ticket is invalid, expired or of another host, or the login has changed since
 */
export async function checkTicket(
  deps: CheckPasswordDeps,
  input: TicketInput,
): Promise<Entrada | (CodeWanted & { readonly error: VigiaError }) | null> {
  const ticket = openTicket(deps, input.bilhete)
  const usuario = ticket && (await findUsuario(deps.db, ticket.usuarioId))
  if (!ticket || !usuario || !stillHolds(ticket, usuario, input.host)) return null
  try {
    return await deps.loginLimit.guard(usernameKey(usuario.username), input.address, async () => ({
      usuario,
      fator: await checkFactor(deps, usuario, input.codigo, input.address),
    }))
  } catch (error) {
    if (!(error instanceof VigiaError) || (!error.segundoFator && error.code !== 'muitas_requisicoes')) throw error
    return { bilhete: input.bilhete, username: usuario.username, error }
  }
}

const stillHolds = (ticket: Ticket, usuario: UsuarioRow, host: string): boolean =>
  ticket.host === host &&
  ticket.login === fingerprint(usuario) &&
  usuario.ativo === 1 &&
  usuario.segundo_fator_ativo === 1

export const wrongPassword = () => new VigiaError('nao_autenticado', { detalhe: 'Usuário ou senha incorretos.' })

const NOTHING_LEFT = 'As Empresas que este login alcançava foram removidas. Peça a um administrador um novo alcance.'

/** @throws VigiaError `nao_autenticado`; `proibido` (its list has no Empresa left) */
async function verify(
  deps: CheckPasswordDeps,
  { username, password }: PasswordInput,
  logins: LoginsOfHost,
): Promise<UsuarioRow> {
  const found = await findUsuarioByChave(deps.db, usernameKey(username))
  const user = found?.ativo === 1 && mayEnter(found, logins) ? found : undefined
  // Also verifies a dummy hash for an unknown login, so that the duration reveals nothing.
  const matches = await deps.passwords.verify(user?.senha_hash ?? null, password)
  if (!user || !matches) throw wrongPassword()
  if (isLost(user, await scopeOf(deps.db, user))) throw new VigiaError('proibido', { detalhe: NOTHING_LEFT })
  return user
}

const mayEnter = ({ empresa_id }: UsuarioRow, logins: LoginsOfHost): boolean =>
  logins === 'todos' || (empresa_id !== null && logins.has(empresa_id))
