import type { SecretBox } from '../../adapters/secret-box.ts'
import type { Entrega, Mensagem, Senders } from '../../adapters/senders/interface.ts'
import type { CanalRow } from '../../db/rows.ts'
import { openSecret } from './signing-secret.ts'

export interface SendDeps {
  readonly box: SecretBox
  readonly senders: Senders
}

/** Sends to one destination of the canal. @throws Error if the secret of the canal cannot be opened. */
export function senderOf(
  { box, senders }: SendDeps,
  canal: CanalRow,
): (destino: string, mensagem: Mensagem, signal: AbortSignal) => Promise<Entrega> {
  const segredo = openSecret(box, canal)
  const { send } = senders[canal.tipo]
  return (endereco, mensagem, signal) => send({ endereco, segredo }, mensagem, signal)
}
