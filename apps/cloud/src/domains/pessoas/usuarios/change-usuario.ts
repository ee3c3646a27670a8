import { VigiaError } from '@vigia/contracts/errors'
import type { Usuario, UsuarioPatch } from '@vigia/contracts/usuarios'
import { endQuiosquesOf } from '../../../audit/audit-quiosque.ts'
import { auditUsuario } from '../../../audit/audit-usuario.ts'
import { EMPTY_LIST, unpackAlcance } from '../../../db/alcance.ts'
import { deleteConvitesBy } from '../../../db/convites.ts'
import { lockName, lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { deleteSessionsOf } from '../../../db/sessoes.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireWrite } from '../../../http/caller.ts'
import { requireFits, requireOver, requireReach } from '../../../scope/require-reach.ts'
import { revokeAuthorizations } from '../autorizacoes/revoke-authorizations.ts'
import type { UsuariosDeps } from './deps.ts'
import { requireUsuario } from './require-usuario.ts'
import { deleteUsuario, hasActiveOperator, updateUsuario } from './store.ts'
import { viewUsuario } from './view-usuario.ts'

/**
 * Changes the sent fields. A new password or role and a deactivation end the sessions of the login at once, also the
 * caller's own. They end its invitations and the quiosques that it made. All but the role also revoke its agents. A new
 * reach holds for the next request and for open streams, and ends nothing.
 * @throws VigiaError `proibido` (also a login or a reach beyond the caller's), `nao_encontrado`, `validacao`,
 * `conflito` (no operator would be left)
 */
export async function changeUsuario(
  deps: UsuariosDeps,
  caller: Caller,
  id: number,
  patch: UsuarioPatch,
): Promise<Usuario> {
  requireWrite(caller)
  // This check precedes the slow hash, so that requests for missing logins are cheap.
  const seen = await requireUsuario(deps.db, caller, id)
  const sent = {
    ...(patch.senha != null && { senha_hash: await deps.passwords.hash(patch.senha) }),
    ...(patch.papel != null && { papel: patch.papel }),
    ...(patch.ativo != null && { ativo: patch.ativo ? (1 as const) : (0 as const) }),
  }
  if (Object.keys(sent).length === 0 && patch.alcance == null) return viewUsuario(seen)

  const { row, ended } = await transact(deps.db, async (tx) => {
    await lockLogin(tx, caller, id)
    const before = await requireUsuario(tx, caller, id)
    const alcance = await reachAfter(tx, caller, before, patch)
    const after = await updateUsuario(tx, id, { ...sent, alcance })
    if (!after) throw notFound('Login não encontrado.')
    await requireOperatorLeft(tx)
    const segredos = patch.senha == null ? [] : ['senha']
    const now = deps.clock.now()
    await auditUsuario(tx, now, caller, { antes: before, depois: after, segredos })
    const ends = patch.senha != null || after.papel !== before.papel || after.ativo === 0
    if (ends) {
      await deleteSessionsOf(tx, id)
      await deleteConvitesBy(tx, id)
      await endQuiosquesOf(tx, now, caller, id)
    }
    // A new role keeps the agents, because every call reads the current role.
    const motivo =
      after.ativo === 0 ? 'O login foi desativado.' : patch.senha != null ? 'A senha do login mudou.' : null
    if (motivo) await revokeAuthorizations(tx, now, caller, { usuarioId: id }, motivo)
    // Invitations are checked when they are opened, quiosques and agents on every request.
    return { row: after, ended: ends || after.alcance !== before.alcance }
  })
  if (ended) deps.sessionEnded()
  return viewUsuario(row)
}

/**
 * Removes a login and ends its sessions and the quiosques that it made.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (the own login)
 */
export async function removeUsuario(deps: UsuariosDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  if (id === caller.usuarioId)
    throw new VigiaError('conflito', { detalhe: 'Não remova o seu próprio login. Peça a outro administrador.' })
  await transact(deps.db, async (tx) => {
    await lockLogin(tx, caller, id)
    const before = await requireUsuario(tx, caller, id)
    requireOver(caller, before)
    const now = deps.clock.now()
    await revokeAuthorizations(tx, now, caller, { usuarioId: id }, 'O login foi removido.')
    await endQuiosquesOf(tx, now, caller, id)
    await deleteUsuario(tx, id)
    await requireOperatorLeft(tx)
    await auditUsuario(tx, now, caller, { antes: before, depois: null })
  })
  deps.sessionEnded()
}

/**
 * The stored reach after a change. A caller changes no login with a reach beyond its own: with a new password it could
 * sign in as that login.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao`, `conflito` (a list without an Empresa)
 */
async function reachAfter(
  tx: Database,
  caller: Caller,
  before: UsuarioRow,
  patch: UsuarioPatch,
): Promise<string | null> {
  requireOver(caller, before)
  const { empresa_id } = before
  const papel = patch.papel ?? before.papel
  if (patch.alcance != null) return requireReach(tx, caller, { papel, empresa_id, alcance: patch.alcance })
  if (patch.ativo && before.alcance === EMPTY_LIST)
    throw new VigiaError('conflito', {
      detalhe: 'As Empresas que este login alcançava foram removidas. Escolha o alcance dele antes.',
    })
  if (papel === before.papel) return before.alcance
  if (before.alcance === null) return requireReach(tx, caller, { papel, empresa_id, alcance: undefined })
  if (empresa_id === null) requireFits(papel, unpackAlcance(before.alcance, papel))
  return before.alcance
}

/** Only an operator changes operators. If two disable each other, the second sees the change of the first. */
async function lockLogin(tx: Database, caller: Caller, id: number): Promise<void> {
  if (caller.escopo === 'tudo') await lockName(tx, 'operadores')
  await lockRow(tx, 'usuarios', id)
}

/** Only an operator can create another operator. */
async function requireOperatorLeft(db: Database): Promise<void> {
  if (!(await hasActiveOperator(db)))
    throw new VigiaError('conflito', {
      detalhe: 'Este é o único operador da instalação. Crie outro antes de mudar este.',
    })
}
