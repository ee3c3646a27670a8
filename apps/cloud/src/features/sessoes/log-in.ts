import { SESSAO_S } from '@vigia/contracts/sessoes'
import { newToken, tokenHash } from '../../adapters/bearer-token.ts'
import { auditSessao } from '../../audit/audit-sessao.ts'
import { type CheckPasswordDeps, type Entrada, wrongPassword } from './check-password.ts'
import { insertSession } from './store.ts'

interface LogInInput {
  readonly address: string
  /** Lower case, without a port: the session is bound to it. */
  readonly host: string
  /** Interface of the login, for the audit log. */
  readonly canal: 'painel' | 'api'
  /** Id of the request. */
  readonly pedido: string
}

/**
 * Issues a session token (valid for 1 h) to an authenticated login.
 * @throws VigiaError `nao_autenticado` when password or second factor changed, or the login was deactivated, meanwhile
 */
export async function logIn(
  deps: Pick<CheckPasswordDeps, 'db' | 'clock'>,
  { usuario, fator }: Entrada,
  { canal, pedido, address: endereco, host }: LogInInput,
): Promise<string> {
  const token = newToken()
  const now = deps.clock.now()
  const session = {
    token_hash: tokenHash(token) ?? '',
    usuario_id: usuario.id,
    expira_em: now + SESSAO_S * 1000,
    host,
  }
  const autor = {
    usuarioId: usuario.id,
    username: usuario.username,
    origem: { canal, cliente: null, endereco, pedido },
  }
  await deps.db.transaction().execute(async (tx) => {
    if (!(await insertSession(tx, session, usuario, now))) throw wrongPassword()
    await auditSessao(tx, now, autor, { acao: 'entrar', empresaId: usuario.empresa_id, host, fator })
  })
  return token
}
