import { isChannelOpen } from '@vigia/ias/agenda'
import type { MensagemEvento } from '../../../adapters/senders/interface.ts'
import { canalFields, destinationsOf } from '../../../db/canal-fields.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { findEvent } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow, EmpresaRow, EventoRow } from '../../../db/rows.ts'
import { breaksSilence, silencedCameras } from '../../../db/silencios.ts'
import { viewEvento } from '../../eventos/public.ts'
import { coverEventos, findAviso, listReporting, saveAviso } from './avisos-store.ts'
import { passesFilters } from './canal-filter.ts'
import { insertDeliveries, reachedDestinations, withdrawDeliveries } from './delivery-store.ts'
import { listInDigest } from './digest.ts'
import { correctGroup, DISCARDED, reportInGroup } from './group-message.ts'
import { messageId } from './message-id.ts'
import { listCanais } from './store.ts'

/**
 * Queues what a stored or changed verdict means for each canal, in the transaction of the verdict, with the incidente
 * locked. Idempotent. No canal reports an event of a walk test. A silenced camera sends only what `breaksSilence`
 * names, and corrections.
 */
export async function enqueueVerdict(tx: Database, eventoId: number, now: number): Promise<void> {
  const evento = await findEvent(tx, eventoId, null)
  if (!evento) throw new Error(`event ${eventoId} to notify is missing`)
  if (evento.veredito_decisao === 'refutado') return correctReports(tx, evento, now)
  if (evento.veredito_decisao === 'confirmado') await reportEvento(tx, evento, 'confirmado', now)
}

/** Reports an event to the canais with `politica` `avisar`, if it still has no verdict. */
export async function enqueueUnverified(tx: Database, eventoId: number, now: number): Promise<void> {
  const evento = await findEvent(tx, eventoId, null)
  if (evento && evento.veredito_decisao === null) await reportEvento(tx, evento, 'nao_verificado', now)
}

async function reportEvento(
  tx: Database,
  evento: EventoRow,
  situacao: 'confirmado' | 'nao_verificado',
  now: number,
): Promise<void> {
  const { empresa_id, camera_id, incidente_id: incidenteId } = evento
  if (evento.prova === 1) return
  const canais = await listCanais(tx, [empresa_id])
  if (canais.length === 0) return
  if (!breaksSilence(evento) && (await silencedCameras(tx, [camera_id], now)).has(camera_id)) return
  const empresa = await requireEmpresaOf(tx, empresa_id)
  const view = viewEvento(evento)
  for (const canal of canais) {
    const fields = canalFields(canal)
    if (!passesFilters(fields, view)) continue
    if (situacao === 'nao_verificado' && fields.politica !== 'avisar') continue
    if (fields.resumo_hora !== null && incidenteId !== null && situacao === 'confirmado')
      await listInDigest(tx, { canal, empresa, incidenteId }, now)
    // An hour that nobody knows is in every Agenda.
    const isKnown = evento.hora_ate === null
    if (isKnown && !isChannelOpen(fields.agenda, empresa.fuso_horario, evento.ocorrido_em)) continue
    if (fields.agrupar && incidenteId !== null)
      await reportInGroup(tx, { canal, empresa, evento, incidenteId, situacao }, now)
    else await reportAlone(tx, { canal, empresa, evento, situacao }, now)
  }
}

async function requireEmpresaOf(tx: Database, id: number): Promise<EmpresaRow> {
  const empresa = await findEmpresa(tx, id)
  if (!empresa) throw new Error(`Empresa ${id} of the canais is missing`)
  return empresa
}

interface Alone {
  readonly canal: CanalRow
  readonly empresa: EmpresaRow
  readonly evento: EventoRow
  readonly situacao: 'confirmado' | 'nao_verificado'
}

async function reportAlone(tx: Database, { canal, empresa, evento, situacao }: Alone, now: number): Promise<void> {
  const of = { canalId: canal.id, eventoId: evento.id, incidenteId: evento.incidente_id }
  const before = await saveAviso(tx, { ...of, situacao }, now)
  if (before === 'igual') return
  if (before === 'nao_verificado')
    await withdrawDeliveries(
      tx,
      { canalId: canal.id, mensagens: [idOf('evento.nao_verificado', evento)], erro: CONFIRMED },
      now,
    )
  const mensagem = messageOf(`evento.${situacao}`, { empresa, evento }, now)
  await coverEventos(tx, canal.id, { eventoId: evento.id }, mensagem.id)
  await insertDeliveries(tx, canal, { mensagem, destinos: destinationsOf(canal) }, now)
}

const CONFIRMED = 'A verificação confirmou o evento antes do envio: o aviso saiu como confirmado.'

const idOf = (tipo: MensagemEvento['tipo'], { uuid, empresa_id }: EventoRow): string =>
  messageId(tipo, uuid, empresa_id)

const messageOf = (
  tipo: MensagemEvento['tipo'],
  { empresa, evento }: Pick<Alone, 'empresa' | 'evento'>,
  now: number,
): MensagemEvento => ({
  tipo,
  id: idOf(tipo, evento),
  enviadoEm: now,
  empresa: { id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario },
  camera: { id: evento.camera_id, nome: evento.camera_nome },
  evento: viewEvento(evento),
})

/** Corrects the reports of a refuted event, at the canais that reported it. */
async function correctReports(tx: Database, evento: EventoRow, now: number): Promise<void> {
  const { id: eventoId, empresa_id, incidente_id: incidenteId } = evento
  const canais = new Map((await listCanais(tx, [empresa_id])).map((canal) => [canal.id, canal]))
  const reports = await listReporting(tx, eventoId, [...canais.keys()])
  if (reports.length === 0) return
  const empresa = await requireEmpresaOf(tx, empresa_id)
  for (const { canal_id } of reports) {
    const canal = canais.get(canal_id)
    if (!canal) continue
    await saveAviso(tx, { canalId: canal_id, eventoId, incidenteId, situacao: 'descartado' }, now)
    const aviso = incidenteId === null ? undefined : await findAviso(tx, canal_id, incidenteId)
    if (incidenteId !== null && aviso && aviso.mensagem_id !== null)
      await correctGroup(tx, { canal, empresa, incidenteId, aviso, evento }, now)
    else await correctAlone(tx, { canal, empresa, evento }, now)
  }
}

async function correctAlone(tx: Database, about: Omit<Alone, 'situacao'>, now: number): Promise<void> {
  const { canal, evento } = about
  const mensagens = [idOf('evento.nao_verificado', evento), idOf('evento.confirmado', evento)]
  await withdrawDeliveries(tx, { canalId: canal.id, mensagens, erro: DISCARDED }, now)
  const destinos = await reachedDestinations(tx, canal.id, mensagens)
  await insertDeliveries(tx, canal, { mensagem: messageOf('evento.descartado', about, now), destinos }, now)
}
