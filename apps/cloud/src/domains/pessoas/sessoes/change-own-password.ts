import { invalid } from '@vigia/contracts/errors'
import { SESSAO_S, type SenhaPropria, type TokenRenovado } from '@vigia/contracts/sessoes'
import type { Clock } from '../../../adapters/clock.ts'
import { endQuiosquesOf } from '../../../audit/audit-quiosque.ts'
import { auditUsuario } from '../../../audit/audit-usuario.ts'
import { deleteConvitesBy } from '../../../db/convites.ts'
import type { Database } from '../../../db/open.ts'
import { deleteSessionsOf } from '../../../db/sessoes.ts'
import { transact } from '../../../db/transaction.ts'
import { findUsuario } from '../../../db/usuarios.ts'
import { type Caller, notFound, requireLogin } from '../../../http/caller.ts'
import { revokeAuthorizations } from '../autorizacoes/revoke-authorizations.ts'
import { type PasswordDeps, requirePassword, WRONG_PASSWORD } from '../usuarios/require-password.ts'
import { beginSession, type SessionOrigin } from './begin-session.ts'
import { replacePassword } from './store.ts'

export interface ChangePasswordDeps extends PasswordDeps {
  readonly db: Database
  readonly clock: Clock
  /** Sessions were ended: open streams authenticate again. */
  readonly sessionEnded: () => void
}

/**
 * Replaces the password of the caller's login. Ends all its sessions, also the caller's, because its token may be the
 * one that was stolen. Revokes its agents and invitations, and ends its quiosques except the named ones. The caller
 * gets a new session with the limit of the former one.
 * @throws VigiaError `validacao` (wrong password, the same password again), `muitas_requisicoes`, `proibido` (quiosque,
 * API key)
 */
export async function changeOwnPassword(
  deps: ChangePasswordDeps,
  caller: Caller,
  { atual, nova, quiosques = [] }: SenhaPropria,
  origin: SessionOrigin,
): Promise<TokenRenovado> {
  const { db, clock, passwords, sessionEnded } = deps
  const usuario = await findUsuario(db, requireLogin(caller))
  if (!usuario || !caller.sessao) throw notFound('Login não encontrado.')
  const { renovaAte } = caller.sessao
  await requirePassword(deps, usuario, { senha: atual, campo: 'atual', endereco: caller.origem.endereco })
  if (nova === atual) throw invalid(['body', 'nova'], 'A senha nova é igual à atual. Escolha outra', 'same_password')
  const senha_hash = await passwords.hash(nova)
  const now = clock.now()
  const { id } = usuario
  const token = await transact(db, async (tx) => {
    if (!(await replacePassword(tx, usuario, senha_hash)))
      throw invalid(['body', 'atual'], WRONG_PASSWORD, 'wrong_password')
    await deleteSessionsOf(tx, id)
    await deleteConvitesBy(tx, id)
    await endQuiosquesOf(tx, now, caller, id, quiosques)
    await revokeAuthorizations(tx, now, caller, { usuarioId: id }, 'A senha do login mudou.')
    await auditUsuario(tx, now, caller, { antes: usuario, depois: { ...usuario, senha_hash }, segredos: ['senha'] })
    return await beginSession(tx, now, { dono: { usuario_id: id }, origin, renovaAte })
  })
  sessionEnded()
  const expires_in = Math.min(SESSAO_S, Math.max(0, Math.floor((renovaAte - now) / 1000)))
  return { access_token: token, token_type: 'bearer', expires_in }
}
