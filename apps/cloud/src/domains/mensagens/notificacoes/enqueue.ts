import type { Queda } from '@vigia/contracts/eventos'
import { isChannelOpen } from '@vigia/ias/agenda'
import type { MensagemQueda } from '../../../adapters/senders/interface.ts'
import { canalFields, destinationsOf } from '../../../db/canal-fields.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { insertDeliveries, withdrawDeliveries } from './delivery-store.ts'
import { messageId } from './message-id.ts'
import { listCanais } from './store.ts'

/** The start or the end of a queda for one Empresa. */
export interface QuedaNotice extends Pick<MensagemQueda, 'tipo' | 'camera' | 'edge'> {
  readonly queda: Queda
  readonly empresaId: number
  /** Affected cameras of the Empresa; canais limited to other cameras are skipped. */
  readonly cameraIds: readonly number[]
}

/** Queues the start or the end of a queda in the transaction that records it. */
export async function enqueueQueda(tx: Database, news: QuedaNotice, now: number): Promise<void> {
  const { tipo, camera, edge, queda, empresaId, cameraIds } = news
  const canais = await listCanais(tx, [empresaId])
  if (canais.length === 0) return
  const empresa = await findEmpresa(tx, empresaId)
  if (!empresa) throw new Error(`Empresa ${empresaId} of the canais is missing`)
  const mensagem: MensagemQueda = {
    tipo,
    id: messageId(tipo, queda.id, queda.inicio, empresaId),
    enviadoEm: now,
    camera,
    edge,
    queda,
    empresa: { id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario },
  }
  const em = Date.parse(queda.fim ?? queda.inicio)
  // An undelivered start is replaced by the end, so that the last message never reports a finished queda as open.
  const replaced = queda.fim === null ? [] : [messageId(beginningOf[tipo], queda.id, queda.inicio, empresaId)]
  for (const canal of canais) {
    const { ativo, avisar_quedas, camera_ids, agenda } = canalFields(canal)
    const isAbout = camera_ids.length === 0 || camera_ids.some((id) => cameraIds.includes(id))
    const isWanted = ativo && avisar_quedas && isAbout
    if (!isWanted || !isChannelOpen(agenda, empresa.fuso_horario, em)) continue
    await withdrawDeliveries(tx, { canalId: canal.id, mensagens: replaced, erro: REPLACED }, now)
    await insertDeliveries(tx, canal, { mensagem, destinos: destinationsOf(canal) }, now)
  }
}

const REPLACED = 'A volta foi avisada no lugar deste aviso.'

const beginningOf = {
  'edge.offline': 'edge.offline',
  'edge.online': 'edge.offline',
  'camera.offline': 'camera.offline',
  'camera.online': 'camera.offline',
} as const satisfies Record<MensagemQueda['tipo'], MensagemQueda['tipo']>
