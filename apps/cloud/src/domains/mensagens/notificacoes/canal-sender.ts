import type { SecretBox } from '../../../adapters/secret-box.ts'
import { withoutPlates } from '../../../adapters/senders/hide-plates.ts'
import type { Entrega, Mensagem, Senders } from '../../../adapters/senders/interface.ts'
import type { Database } from '../../../db/open.ts'
import { ownNetworks } from '../../../db/own-networks.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { openSecret } from './signing-secret.ts'

export interface SendDeps {
  readonly db: Database
  readonly box: SecretBox
  readonly senders: Senders
}

/**
 * Sends to one destination of the canal, without plates if its setting at this time says so.
 * @throws Error if the secret of the canal cannot be opened.
 */
export async function senderOf(
  { db, box, senders }: SendDeps,
  canal: CanalRow,
): Promise<(destino: string, mensagem: Mensagem, signal: AbortSignal) => Promise<Entrega>> {
  const redes = await ownNetworks(db, canal.empresa_id)
  const segredo = openSecret(box, canal)
  const { send } = senders[canal.tipo]
  return (endereco, mensagem, signal) =>
    send({ endereco, segredo, redes }, canal.placas === 1 ? mensagem : withoutPlates(mensagem), signal)
}
