import { VigiaError } from '@vigia/contracts/errors'
import type { SegredoCanal } from '@vigia/contracts/notificacoes'
import { auditCanal } from '../../../audit/audit-canal.ts'
import { lockRow } from '../../../db/locks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import type { NotificacoesDeps } from './deps.ts'
import { requireCanal } from './require-canal.ts'
import { makeSecret } from './signing-secret.ts'
import { updateCanal } from './store.ts'

/**
 * Replaces the signing secret of a webhook; the previous one is no longer used.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (not a webhook).
 */
export async function rotateSecret(
  { db, clock, box }: NotificacoesDeps,
  caller: Caller,
  id: number,
): Promise<SegredoCanal> {
  requireWrite(caller)
  return await transact(db, async (tx) => {
    await lockRow(tx, 'canais_notificacao', id)
    const canal = await requireCanal(tx, caller, id)
    if (canal.tipo !== 'webhook')
      throw new VigiaError('conflito', { detalhe: 'Só canais do tipo webhook têm segredo de assinatura.' })
    const { segredo, segredo_cifrado } = makeSecret(box, id)
    const now = clock.now()
    await updateCanal(tx, id, { segredo_cifrado, atualizado_em: now })
    await auditCanal(tx, now, caller, { acao: 'trocar_segredo', antes: canal, depois: canal, segredos: ['segredo'] })
    return { segredo }
  })
}
