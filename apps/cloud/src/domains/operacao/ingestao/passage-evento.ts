import type { Database } from '../../../db/open.ts'
import type { NewEvento } from '../../../db/rows.ts'
import { enqueueVerification } from '../verificacao/enqueue-verification.ts'
import { takeIds } from './ids-store.ts'
import { linkEvento } from './passagem-store.ts'
import { storeEvents } from './store-eventos.ts'

/** Stores one event of a passage outside a batch, in the caller's transaction, which has locked the edge. */
export async function storePassageEvento(
  tx: Database,
  passagemId: number,
  evento: Omit<NewEvento, 'id'>,
  now: number,
): Promise<void> {
  const stored: NewEvento = { ...evento, id: await takeIds(tx, 1) }
  await enqueueVerification(tx, [stored], now)
  await storeEvents(tx, [stored])
  await linkEvento(tx, passagemId, stored.id)
}
