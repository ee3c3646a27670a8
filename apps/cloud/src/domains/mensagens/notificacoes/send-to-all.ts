import type { Entrega, Mensagem } from '../../../adapters/senders/interface.ts'
import { destinationsOf } from '../../../db/canal-fields.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { type SendDeps, senderOf } from './canal-sender.ts'

/** Concurrent sends of one canal, to bound the connections of many slow destinations. */
const AT_ONCE = 5

/** Sends to every destination of the canal; the outcomes are in the order of `destinationsOf`. */
export async function sendToAll(
  deps: SendDeps,
  canal: CanalRow,
  mensagem: Mensagem,
  signal: AbortSignal,
): Promise<{ readonly destino: string; readonly entrega: Entrega }[]> {
  const send = await senderOf(deps, canal)
  const outcomes: { destino: string; entrega: Entrega }[] = []
  const waiting = destinationsOf(canal).entries()
  // Workers share one iterator: each takes the next destination after it finishes one.
  const worker = async () => {
    for (const [index, destino] of waiting)
      outcomes[index] = { destino, entrega: await send(destino, mensagem, signal) }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return outcomes
}
