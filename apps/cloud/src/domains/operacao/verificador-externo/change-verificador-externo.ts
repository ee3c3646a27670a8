import { VigiaError } from '@vigia/contracts/errors'
import type { UsoVerificadorExterno, VerificadorExternoPatch } from '@vigia/contracts/verificador-externo'
import { serverOf, type VlmSettings } from '../../../adapters/verifier/settings.ts'
import { auditEmpresa } from '../../../audit/audit-empresa.ts'
import { lockEmpresa } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireLogin, requireScope, requireWrite } from '../../../http/caller.ts'
import { monthIn } from './month.ts'
import { findUso, updateEmpresaVlm } from './store.ts'
import { viewUso } from './view-verificador-externo.ts'
import type { VlmDeps } from './vlm-account.ts'

/**
 * Switches the external verifier of an Empresa, or changes its limit of calls.
 * @throws VigiaError `nao_encontrado`; `proibido`: switched on by a login of another Empresa, or a limit without the
 * operator role; `conflito`: no endpoint is configured
 */
export async function changeVerificadorExterno(
  { db, clock, settings }: VlmDeps,
  caller: Caller,
  id: number,
  patch: VerificadorExternoPatch,
): Promise<UsoVerificadorExterno> {
  requireWrite(caller)
  requireScope(caller, id)
  requireLogin(caller)
  return transact(db, async (tx) => {
    const before = await lockEmpresa(tx, id)
    if (!before) throw notFound('Empresa não encontrada.')
    requireRights(caller, id, patch)
    const now = clock.now()
    const row = await updateEmpresaVlm(tx, id, {
      vlm_servidor: before.vlm_servidor,
      ...(patch.ativo !== undefined && { vlm_servidor: patch.ativo ? acceptedServer(settings) : null }),
      ...(patch.chamadas_mes !== undefined && { vlm_chamadas_mes: patch.chamadas_mes }),
    })
    await auditEmpresa(tx, now, caller, { antes: before, depois: row })
    const mes = monthIn(row.fuso_horario, now)
    return viewUso(row, settings, mes, await findUso(tx, id, mes))
  })
}

function requireRights(caller: Caller, id: number, { ativo, chamadas_mes }: VerificadorExternoPatch): void {
  // The Empresa is the controller of its pictures (LGPD): nobody above it lets them leave.
  if (ativo === true && caller.empresaId !== id)
    throw new VigiaError('proibido', {
      detalhe: 'Só um administrador da própria Empresa liga o verificador externo dela. Peça a ele.',
    })
  if (chamadas_mes !== undefined && caller.escopo !== 'tudo')
    throw new VigiaError('proibido', {
      detalhe: 'Só o operador da instalação muda o limite de chamadas do verificador externo. Peça a ele.',
    })
}

function acceptedServer(settings: VlmSettings | null): string {
  if (settings !== null) return serverOf(settings)
  throw new VigiaError('conflito', {
    detalhe: 'O operador desta instalação não configurou um verificador externo. Peça a ele.',
  })
}
