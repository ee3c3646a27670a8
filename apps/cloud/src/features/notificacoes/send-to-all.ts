import type { SecretBox } from '../../adapters/secret-box.ts'
import type { Entrega, Mensagem, Senders } from '../../adapters/senders/interface.ts'
import { openSecret } from './signing-secret.ts'
import type { CanalRow } from './store.ts'
import { viewCanal } from './view-canal.ts'

/** Deliveries under way at once for one channel: a hundred slow destinations are no hundred connections. */
const AT_ONCE = 5

interface SendDeps {
  readonly box: SecretBox
  readonly senders: Senders
}

/** Where a channel sends to: `destino` and `destinatarios`, each once. */
export function destinationsOf(canal: CanalRow): string[] {
  const { destino, destinatarios } = viewCanal(canal)
  return [...new Set([destino, ...destinatarios])].filter((text) => text !== '')
}

/** Sends to every destination of the channel; the outcomes are in the order of `destinationsOf`. */
export async function sendToAll(
  { box, senders }: SendDeps,
  canal: CanalRow,
  mensagem: Mensagem,
  signal: AbortSignal,
): Promise<{ readonly destino: string; readonly entrega: Entrega }[]> {
  const send = senderOf(box, senders, canal)
  const outcomes: { destino: string; entrega: Entrega }[] = []
  const waiting = destinationsOf(canal).entries()
  // Workers that share one iterator: each takes the next destination when it is done with one.
  const worker = async () => {
    for (const [index, destino] of waiting)
      outcomes[index] = { destino, entrega: await send(destino, mensagem, signal) }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return outcomes
}

type Send = (destino: string, mensagem: Mensagem, signal: AbortSignal) => Promise<Entrega>

function senderOf(box: SecretBox, senders: Senders, canal: CanalRow): Send {
  if (canal.tipo !== 'webhook') return senders[canal.tipo].send
  const segredo = openSecret(box, canal)
  return (url, mensagem, signal) => senders.webhook.send({ url, segredo }, mensagem, signal)
}
