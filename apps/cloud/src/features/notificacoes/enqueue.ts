import type { Evento, Queda } from '@vigia/contracts/eventos'
import { gravidades } from '@vigia/contracts/ias'
import { isChannelOpen } from '@vigia/ias/agenda'
import type { Mensagem, MensagemQueda } from '../../adapters/senders/interface.ts'
import { type CanalFields, canalFields } from '../../db/canal-fields.ts'
import { findEmpresa } from '../../db/empresas.ts'
import { findEvent } from '../../db/eventos.ts'
import type { Database } from '../../db/open.ts'
import { breaksSilence, silencedCameras } from '../../db/silencios.ts'
import { viewEvento } from '../eventos/view-evento.ts'
import { insertDeliveries, withdrawDeliveries } from './delivery-store.ts'
import { messageId } from './message-id.ts'
import { listCanais } from './store.ts'
import { destinationsOf } from './view-canal.ts'

/**
 * Queues a confirmed event for each matching canal in the transaction of its verdict. Idempotent for the same event. A
 * silenced camera sends only what `breaksSilence` names.
 */
export async function enqueueConfirmed(tx: Database, eventoId: number, now: number): Promise<void> {
  const row = await findEvent(tx, eventoId, null)
  if (!row) throw new Error(`event ${eventoId} to notify is missing`)
  const { empresa_id: empresaId, camera_id: cameraId } = row
  if (!breaksSilence(row) && (await silencedCameras(tx, [cameraId], now)).has(cameraId)) return
  const evento = viewEvento(row)
  await enqueue(tx, empresaId, {
    em: row.ocorrido_em,
    wanted: (canal) => passesFilters(canal, evento),
    mensagem: (empresa) => ({
      tipo: 'evento.confirmado',
      id: messageId('evento.confirmado', row.uuid, empresaId),
      enviadoEm: now,
      empresa,
      camera: { id: cameraId, nome: row.camera_nome },
      evento,
    }),
  })
}

const rank = (gravidade: CanalFields['gravidade_min']): number => gravidades.indexOf(gravidade)

const passesFilters = ({ camera_id, tipos_evento, gravidade_min, certeza_min }: CanalFields, evento: Evento): boolean =>
  (camera_id === null || camera_id === evento.camera_id) &&
  (tipos_evento.length === 0 || tipos_evento.includes(evento.tipo)) &&
  rank(evento.gravidade) >= rank(gravidade_min) &&
  (certeza_min === 'baixa' || isCertain(evento))

/** A verdict of an earlier version states no `certeza`, and counts as certain. */
const isCertain = ({ veredito }: Evento): boolean =>
  veredito !== null && (!('certeza' in veredito) || veredito.certeza !== 'baixa')

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
  await enqueue(tx, empresaId, {
    em: Date.parse(queda.fim ?? queda.inicio),
    // An undelivered start is replaced by the end, so that the last message never reports a finished queda as open.
    replaces: queda.fim === null ? null : messageId(beginningOf[tipo], queda.id, queda.inicio, empresaId),
    wanted: ({ avisar_quedas, camera_id }) => avisar_quedas && (camera_id === null || cameraIds.includes(camera_id)),
    mensagem: (empresa) => ({
      tipo,
      id: messageId(tipo, queda.id, queda.inicio, empresaId),
      enviadoEm: now,
      empresa,
      camera,
      edge,
      queda,
    }),
  })
}

const beginningOf = {
  'edge.offline': 'edge.offline',
  'edge.online': 'edge.offline',
  'camera.offline': 'camera.offline',
  'camera.online': 'camera.offline',
} as const satisfies Record<MensagemQueda['tipo'], MensagemQueda['tipo']>

interface Notice {
  /** Time of the occurrence in epoch ms; the Agenda of a canal is checked at this time. */
  readonly em: number
  readonly wanted: (canal: CanalFields) => boolean
  /** Earlier message that this one replaces if it was not delivered yet. */
  readonly replaces?: string | null
  readonly mensagem: (empresa: Mensagem['empresa']) => Mensagem
}

async function enqueue(tx: Database, empresaId: number, { em, wanted, replaces, mensagem }: Notice): Promise<void> {
  const canais = await listCanais(tx, [empresaId])
  if (canais.length === 0) return
  const empresa = await findEmpresa(tx, empresaId)
  if (!empresa) throw new Error(`Empresa ${empresaId} of the canais is missing`)
  const message = mensagem({ id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario })
  const mensagem_json = JSON.stringify(message)
  for (const row of canais) {
    const canal = canalFields(row)
    if (!canal.ativo || !wanted(canal) || !isChannelOpen(canal.agenda, empresa.fuso_horario, em)) continue
    if (replaces != null) await withdrawDeliveries(tx, row.id, replaces, message.enviadoEm)
    await insertDeliveries(
      tx,
      row,
      destinationsOf(row).map((destino) => ({
        destino,
        mensagem_id: message.id,
        mensagem_json,
        criada_em: message.enviadoEm,
      })),
      message.enviadoEm,
    )
  }
}
