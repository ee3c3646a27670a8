import type { Database } from '../../../db/open.ts'
import { enqueueDeliveries } from '../delivery/delivery-work.ts'
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
  await enqueueDeliveries(tx, [{ tipo: 'portao', ...passagem }], now)
}
