import type { Database } from '../../../db/open.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'
import { type GateCase, mayOpen } from './may-open.ts'
import { claimOpening } from './store.ts'

/**
 * Queues the opening of the gate, if this record of the passage opens it, in the transaction that stores the record.
 * @param now cloud clock in epoch ms
 */
export async function requestOpening(
  tx: Database,
  passagem: { readonly id: number; readonly empresaId: number },
  about: GateCase,
  now: number,
): Promise<void> {
  if (!mayOpen(about, now) || !(await claimOpening(tx, passagem.id, now))) return
  const work = { tipo: 'portao' as const, chave: String(passagem.id), empresaId: passagem.empresaId, prioridade: 0 }
  await enqueueWork(tx, [work], now)
}
