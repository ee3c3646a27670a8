import { VigiaError } from '@vigia/contracts/errors'
import { MAX_REENVIO, type Reenvio } from '@vigia/contracts/notificacoes'
import { auditCanal } from '../../../audit/audit-canal.ts'
import { destinationsOf } from '../../../db/canal-fields.ts'
import { lockRow } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerKey, notFound, requireWrite } from '../../../http/caller.ts'
import type { NotificacoesDeps } from './deps.ts'
import { requireCanal } from './require-canal.ts'
import { findEntrega, listGivenUp, reopenEntrega } from './resend-store.ts'

/**
 * Sends one abandoned delivery again; it gets its full retry time.
 * @throws VigiaError `proibido`, `nao_encontrado` (canal or delivery), `conflito`, `muitas_requisicoes`.
 */
export async function resendEntrega(
  deps: NotificacoesDeps,
  caller: Caller,
  canalId: number,
  entregaId: number,
): Promise<Reenvio> {
  await consume(deps, caller, canalId)
  const now = deps.clock.now()
  await transact(deps.db, async (tx) => {
    await lockRow(tx, 'canais_notificacao', canalId)
    const canal = await requireCanal(tx, caller, canalId)
    const entrega = await findEntrega(tx, canalId, entregaId)
    if (!entrega) throw notFound('Entrega não encontrada.')
    if (canal.ativo === 0) throw conflict('O canal está desligado. Ligue o canal antes de reenviar.')
    if (!destinationsOf(canal).includes(entrega.destino))
      throw conflict('Este destino não está mais no canal. Ponha o destino de volta antes de reenviar.')
    if (!(await reopenEntrega(tx, canal, entrega, now)))
      throw conflict('Só uma entrega que não saiu pode ser reenviada: esta foi entregue ou ainda está na fila.')
    await auditCanal(tx, now, caller, { acao: 'repetir', antes: canal, depois: canal })
  })
  deps.wake()
  return { reenviadas: 1 }
}

/**
 * Sends the abandoned deliveries of a canal to its current destinations again, up to MAX_REENVIO, oldest first.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (disabled), `muitas_requisicoes`.
 */
export async function resendEntregas(deps: NotificacoesDeps, caller: Caller, canalId: number): Promise<Reenvio> {
  await consume(deps, caller, canalId)
  const now = deps.clock.now()
  const reenviadas = await transact(deps.db, async (tx) => {
    await lockRow(tx, 'canais_notificacao', canalId)
    const canal = await requireCanal(tx, caller, canalId)
    if (canal.ativo === 0) throw conflict('O canal está desligado. Ligue o canal antes de reenviar.')
    let count = 0
    for (const entrega of await listGivenUp(tx, canalId, destinationsOf(canal), MAX_REENVIO))
      if (await reopenEntrega(tx, canal, entrega, now)) count += 1
    if (count > 0) await auditCanal(tx, now, caller, { acao: 'repetir', antes: canal, depois: canal })
    return count
  })
  if (reenviadas > 0) deps.wake()
  return { reenviadas }
}

async function consume({ db, testLimit }: NotificacoesDeps, caller: Caller, canalId: number): Promise<void> {
  requireWrite(caller)
  await requireCanal(db, caller, canalId)
  await testLimit.consume(callerKey(caller))
}

const conflict = (detalhe: string) => new VigiaError('conflito', { detalhe })
