import { auditSessao } from '../../../audit/audit-sessao.ts'
import { lockAsSeen } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { beginSession, type SessionOrigin } from './begin-session.ts'
import { type CheckPasswordDeps, type Entrada, wrongPassword } from './check-password.ts'

interface LogInInput extends SessionOrigin {
  /** Interface of the login, for the audit log. */
  readonly canal: 'painel' | 'api'
  /** Id of the request. */
  readonly pedido: string
}

export interface LogInDeps extends Pick<CheckPasswordDeps, 'db' | 'clock'> {
  /** Longest time from the sign-in to the end of the session, with renewals, ms. */
  readonly sessaoMaxMs: number
}

/**
 * Issues a session token (valid for 1 h, renewable) to an authenticated login.
 * @throws VigiaError `nao_autenticado` when password or second factor changed, or the login was deactivated, meanwhile
 */
export async function logIn(
  deps: LogInDeps,
  { usuario, fator }: Entrada,
  { canal, pedido, ...origin }: LogInInput,
): Promise<string> {
  const now = deps.clock.now()
  const { address: endereco, host } = origin
  const autor = {
    usuarioId: usuario.id,
    username: usuario.username,
    origem: { canal, cliente: null, endereco, pedido },
  }
  return await transact(deps.db, async (tx) => {
    if (!(await lockAsSeen(tx, usuario))) throw wrongPassword()
    const renovaAte = now + deps.sessaoMaxMs
    const token = await beginSession(tx, now, { dono: { usuario_id: usuario.id }, origin, renovaAte })
    await auditSessao(tx, now, autor, { acao: 'entrar', empresaId: usuario.empresa_id, host, fator })
    return token
  })
}
