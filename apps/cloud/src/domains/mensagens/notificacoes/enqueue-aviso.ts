import type { TipoMensagemAviso } from '@vigia/contracts/mensagens'
import type { MensagemAviso } from '../../../adapters/senders/interface.ts'
import { canalFields, destinationsOf } from '../../../db/canal-fields.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { insertDeliveries } from './delivery-store.ts'
import { messageId } from './message-id.ts'
import { listCanais } from './store.ts'

/** A state of an Empresa that asks a person to act. */
export interface Aviso {
  readonly tipo: TipoMensagemAviso
  readonly empresaId: number
  readonly titulo: string
  readonly texto: string
  /** Begin of the state in epoch ms; each begin is one message. */
  readonly desde: number
}

/**
 * Queues a message to the canais that report quedas, in the transaction that records the state. Their agenda does not
 * hold it back.
 */
export async function enqueueAviso(tx: Database, aviso: Aviso, now: number): Promise<void> {
  const { tipo, empresaId, titulo, texto, desde } = aviso
  const canais = (await listCanais(tx, [empresaId])).filter((canal) => {
    const { ativo, avisar_quedas } = canalFields(canal)
    return ativo && avisar_quedas
  })
  if (canais.length === 0) return
  const empresa = await findEmpresa(tx, empresaId)
  if (!empresa) return
  const mensagem: MensagemAviso = {
    tipo,
    id: messageId(tipo, empresaId, desde),
    enviadoEm: now,
    camera: null,
    aviso: { titulo, texto, desde: new Date(desde).toISOString() },
    empresa: { id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario },
  }
  for (const canal of canais) await insertDeliveries(tx, canal, { mensagem, destinos: destinationsOf(canal) }, now)
}
