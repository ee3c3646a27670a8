import type { SecretBox } from '../../adapters/secret-box.ts'
import type { Entrega, Mensagem, Senders } from '../../adapters/senders/interface.ts'
import type { CanalRow } from '../../db/rows.ts'
import { openSecret } from './signing-secret.ts'

export interface SendDeps {
  readonly box: SecretBox
  readonly senders: Senders
}

/** Sends to one destination of the canal. @throws Error if its signing secret cannot be opened. */
export function senderOf(
  { box, senders }: SendDeps,
  canal: CanalRow,
): (destino: string, mensagem: Mensagem, signal: AbortSignal) => Promise<Entrega> {
  if (canal.tipo !== 'webhook') return senders[canal.tipo].send
  const segredo = openSecret(box, canal)
  return (url, mensagem, signal) => senders.webhook.send({ url, segredo }, mensagem, signal)
}
