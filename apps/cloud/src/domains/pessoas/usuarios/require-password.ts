import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { FailureLimit } from '../../../adapters/rate-limits/interface.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import type { Passwords } from './passwords.ts'
import { usernameKey } from './username.ts'

export interface PasswordDeps {
  readonly passwords: Passwords
  /** Wrong passwords. */
  readonly loginLimit: FailureLimit
}

interface Typed {
  readonly senha: string
  /** Field of the body, for the error. */
  readonly campo: string
  /** Client address. */
  readonly endereco: string
}

export const WRONG_PASSWORD = 'Senha incorreta. Confira e tente outra vez.'

/**
 * Checks the password of a signed-in login again. Uses the budget of the sign-in. The error is no 401, which would mean
 * the end of the session.
 * @throws VigiaError `validacao` on that field, `muitas_requisicoes`
 */
export async function requirePassword(
  { passwords, loginLimit }: PasswordDeps,
  usuario: UsuarioRow,
  { senha, campo, endereco }: Typed,
): Promise<void> {
  const wrong = new VigiaError('nao_autenticado', { detalhe: WRONG_PASSWORD })
  const check = async () => {
    if (!(await passwords.verify(usuario.senha_hash, senha))) throw wrong
  }
  await loginLimit.guard(usernameKey(usuario.username), endereco, check).catch((error) => {
    throw error === wrong ? invalid(['body', campo], WRONG_PASSWORD, 'wrong_password') : error
  })
}
