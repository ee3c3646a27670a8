import type { Clock } from '../../../adapters/clock.ts'
import { sistema } from '../../../audit/audit-change.ts'
import { endQuiosquesOf } from '../../../audit/audit-quiosque.ts'
import { auditUsuario } from '../../../audit/audit-usuario.ts'
import { deleteConvitesBy } from '../../../db/convites.ts'
import { lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { deleteSessionsOf } from '../../../db/sessoes.ts'
import { transact } from '../../../db/transaction.ts'
import { findUsuarioByChave } from '../../../db/usuarios.ts'
import { revokeAuthorizations } from '../autorizacoes/revoke-authorizations.ts'
import { updateUsuario } from './store.ts'
import { usernameKey } from './username.ts'

interface ResetDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Sets a password from the machine of the cloud. Ends the sessions, invitations, agents and quiosques of the login, as
 * a password that another person sets does. @returns the login; null: there is none
 */
export async function resetPassword(
  { db, clock }: ResetDeps,
  username: string,
  senha_hash: string,
): Promise<UsuarioRow | null> {
  const known = await findUsuarioByChave(db, usernameKey(username))
  if (!known) return null
  return transact(db, async (tx) => {
    await lockRow(tx, 'usuarios', known.id)
    const found = await findUsuarioByChave(tx, usernameKey(username))
    if (!found) return null
    const after = await updateUsuario(tx, found.id, { senha_hash })
    if (!after) return null
    const now = clock.now()
    await auditUsuario(tx, now, sistema, { antes: found, depois: after, segredos: ['senha'] })
    await deleteSessionsOf(tx, found.id)
    await deleteConvitesBy(tx, found.id)
    await endQuiosquesOf(tx, now, sistema, found.id)
    await revokeAuthorizations(tx, now, sistema, { usuarioId: found.id }, 'A senha do login mudou.')
    return after
  })
}
