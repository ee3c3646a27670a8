import { SESSAO_S } from '@vigia/contracts/sessoes'
import type { Clock } from '../../adapters/clock.ts'
import { type CheckPasswordDeps, checkPassword, type PasswordInput, wrongPassword } from './check-password.ts'
import { recordSession } from './record-session.ts'
import { insertSession } from './store.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface LogInDeps extends CheckPasswordDeps {
  readonly clock: Clock
}

interface LogInInput extends PasswordInput {
  /** By which door, for the audit log. */
  readonly canal: 'painel' | 'api'
  /** Id of the request. */
  readonly pedido: string
}

/**
 * Checks a password and issues a session token (1 h from now), which is bound to the host. Public: it is how one comes to
 * be a caller.
 * @throws VigiaError `nao_autenticado`, with the same words and in the same time whether the login exists, is switched
 * off, or has no business on this host; `proibido` on a host that is none of this installation's; `muitas_requisicoes`.
 */
export async function logIn(deps: LogInDeps, input: LogInInput): Promise<string> {
  const user = await checkPassword(deps, input)
  const token = newToken()
  const now = deps.clock.now()
  const session = {
    token_hash: tokenHash(token) ?? '',
    usuario_id: user.id,
    expira_em: now + SESSAO_S * 1000,
    host: input.host,
  }
  const { canal, pedido, address: endereco, host } = input
  const autor = { usuarioId: user.id, username: user.username, origem: { canal, cliente: null, endereco, pedido } }
  await deps.db.transaction().execute(async (trx) => {
    if (!(await insertSession(trx, session, user.senha_hash, now))) throw wrongPassword()
    await recordSession(trx, now, autor, { acao: 'entrar', empresaId: user.empresa_id, host })
  })
  return token
}
