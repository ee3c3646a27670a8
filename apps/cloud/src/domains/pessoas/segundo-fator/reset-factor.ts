import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import type { Autor } from '../../../audit/audit-change.ts'
import { auditSegundoFator } from '../../../audit/audit-segundo-fator.ts'
import { lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { deleteSessionsOf } from '../../../db/sessoes.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, isAbove, requireWrite } from '../../../http/caller.ts'
import { requireOver } from '../../../scope/require-reach.ts'
import { requireUsuario } from '../usuarios/require-usuario.ts'
import type { SegundoFatorDeps } from './deps.ts'
import { endUnentitledQuiosques } from './requirement.ts'
import { clearFactor } from './store.ts'

/**
 * Disables the second factor of another login and ends its sessions, after a loss of phone and recovery codes. The
 * caller must administer an Empresa above: otherwise a peer could also set a new password and sign in as this login.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (no factor)
 */
export async function resetFactor(
  { db, clock, sessionEnded }: Pick<SegundoFatorDeps, 'db' | 'clock' | 'sessionEnded'>,
  caller: Caller,
  id: number,
): Promise<void> {
  requireWrite(caller)
  await transact(db, async (tx) => {
    await lockRow(tx, 'usuarios', id)
    const usuario = await requireUsuario(tx, caller, id)
    requireAbove(caller, usuario)
    requireOver(caller, usuario)
    if (!(await endFactor({ tx, clock }, caller, usuario)))
      throw new VigiaError('conflito', { detalhe: 'Este login não tem segundo fator ligado.' })
  })
  sessionEnded()
}

/** Deletes factor and sessions and writes the audit record. false: no factor is enabled, and nothing changes. */
export async function endFactor(
  { tx, clock }: { readonly tx: Database; readonly clock: Clock },
  autor: Autor,
  usuario: UsuarioRow,
): Promise<boolean> {
  if (!(await clearFactor(tx, usuario.id))) return false
  await deleteSessionsOf(tx, usuario.id)
  await auditSegundoFator(tx, clock.now(), autor, 'remover', usuario)
  await endUnentitledQuiosques(tx, clock.now(), autor, { ...usuario, segundo_fator_ativo: 0 })
  return true
}

function requireAbove(caller: Caller, { id, papel, empresa_id }: UsuarioRow): void {
  if (id === caller.usuarioId) throw forbidden('Desligue o seu próprio segundo fator em Minha conta, com a sua senha.')
  if (empresa_id === null)
    throw forbidden('O segundo fator de um operador é redefinido na máquina da central: veja o manual de operação.')
  if (papel === 'administrador' && !isAbove(caller, empresa_id))
    throw forbidden('Só quem administra uma Empresa acima desta redefine o segundo fator de um administrador dela.')
}

const forbidden = (detalhe: string) => new VigiaError('proibido', { detalhe })
