import { type IncidenteAvisado, incidenteAvisadoSchema, tipoMensagemFim } from '@vigia/contracts/mensagens'
import type { MensagemFimIncidente, MensagemIncidente } from '../../../adapters/senders/interface.ts'
import { destinationsOf } from '../../../db/canal-fields.ts'
import { maxGravidade } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow, EmpresaRow, EventoRow } from '../../../db/rows.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'
import { isOfPlates, joinGapMs, viewEvento } from '../../eventos/public.ts'
import { BACKLOG_QUIET_MS } from '../delivery/late-messages.ts'
import {
  type AvisoRow,
  changeAviso,
  coverEventos,
  lastArrival,
  listReported,
  openAviso,
  saveAviso,
} from './avisos-store.ts'
import { rankOf } from './canal-filter.ts'
import { insertDeliveries, reachedDestinations, withdrawDeliveries } from './delivery-store.ts'
import { messageId } from './message-id.ts'

/** A canal with `agrupar`, and an event of an incidente whose row is locked. */
interface Report {
  readonly canal: CanalRow
  readonly empresa: EmpresaRow
  readonly evento: EventoRow
  readonly incidenteId: number
  readonly situacao: 'confirmado' | 'nao_verificado'
}

/**
 * Reports an event as a part of its incidente: the first one at once, later ones together after `intervalo_s`. With
 * `continuacao` `fim` later ones wait for its end. A higher severity, and the first live event after backlog, are
 * reported at once.
 */
export async function reportInGroup(tx: Database, report: Report, now: number): Promise<void> {
  const { canal, evento, incidenteId, situacao } = report
  const of = { canalId: canal.id, eventoId: evento.id, incidenteId }
  const before = await saveAviso(tx, { ...of, situacao }, now)
  if (before === 'igual') return
  const aviso = await openAviso(tx, canal.id, incidenteId, now)
  const isUrgent =
    aviso.gravidade === null ||
    rankOf(evento.gravidade) > rankOf(aviso.gravidade) ||
    (evento.retroativo === 0 && aviso.ao_vivo === 0)
  if (isUrgent) return sendGroup(tx, { ...report, aviso }, now)
  if (canal.continuacao === 'fim') return enqueueEnd(tx, { ...report, aviso, tipo: evento.tipo }, now)
  const kind = before === null ? 'grupo' : 'confirma'
  await enqueueWork(
    tx,
    [
      {
        tipo: 'mensagem',
        chave: `${kind}:${canal.id}:${incidenteId}:${aviso.mensagens}`,
        empresaId: canal.empresa_id,
        prioridade: 0,
        em: aviso.ultima_em + canal.intervalo_s * 1000,
      },
    ],
    now,
  )
}

/** Adds the timer of the message about the end of an incidente. It is an item for each number of messages. */
async function enqueueEnd(
  tx: Database,
  { canal, incidenteId, aviso, tipo }: Omit<Group, 'empresa'> & { readonly tipo: string },
  now: number,
  em = now + joinGapMs(isOfPlates(tipo)),
): Promise<void> {
  const chave = `fim:${canal.id}:${incidenteId}:${aviso.mensagens}`
  await enqueueWork(tx, [{ tipo: 'mensagem', chave, empresaId: canal.empresa_id, prioridade: 0, em }], now)
}

/** Sends the end of an incidente whose row is locked, or waits on while events arrive. */
export async function sendEnd(tx: Database, group: Group, now: number): Promise<void> {
  const { canal, incidenteId, aviso } = group
  const [first] = await listReported(tx, canal.id, incidenteId)
  if (!first) return
  const { tipo } = first
  const em = ((await lastArrival(tx, incidenteId)) ?? 0) + joinGapMs(isOfPlates(tipo))
  if (now < em) return enqueueEnd(tx, { canal, incidenteId, aviso, tipo }, now, em)
  await sendGroup(tx, group, now, 'encerrado')
}

interface Group {
  readonly canal: CanalRow
  readonly empresa: EmpresaRow
  readonly incidenteId: number
  readonly aviso: AvisoRow
}

/** Sends the next message about an incidente. It covers every reported event. */
export async function sendGroup(
  tx: Database,
  { canal, empresa, incidenteId, aviso }: Group,
  now: number,
  fase: 'atualizacao' | 'encerrado' = 'atualizacao',
): Promise<void> {
  const reported = await listReported(tx, canal.id, incidenteId)
  const added = reported.filter(({ mensagem_id }) => mensagem_id === null)
  const isEnd = fase === 'encerrado'
  const capa = isEnd ? gravest(reported) : (added.at(-1) ?? reported.at(-1))
  if (!capa) return
  const mensagens = aviso.mensagens + 1
  const id =
    aviso.mensagem_id === null
      ? messageId('incidente', capa.uuid, canal.empresa_id)
      : messageId('incidente', aviso.mensagem_id, canal.id, mensagens)
  const mensagem = messageOf({
    id,
    empresa,
    capa,
    reported,
    novos: added.length,
    now,
    fase: aviso.mensagem_id === null ? 'novo' : fase,
  })
  const stated = isEnd ? reported : added
  const isBacklog = stated.length > 0 && stated.every(({ retroativo }) => retroativo === 1)
  const atrasada = isBacklog && stated.every(({ gravidade }) => gravidade !== 'critica')
  await coverEventos(tx, canal.id, { incidenteId }, id)
  const { gravidade } = mensagem.incidente
  await changeAviso(tx, aviso, {
    mensagem_id: aviso.mensagem_id ?? id,
    mensagens,
    ultima_em: now,
    gravidade: maxGravidade(aviso.gravidade ?? gravidade, gravidade),
    ao_vivo: aviso.ao_vivo === 1 || !isBacklog ? 1 : 0,
  })
  await insertDeliveries(
    tx,
    canal,
    {
      mensagem,
      atrasada,
      resumivel: true,
      destinos: destinationsOf(canal),
      em: atrasada ? now + BACKLOG_QUIET_MS : 0,
    },
    now,
  )
  if (!isEnd && canal.continuacao === 'fim')
    await enqueueEnd(tx, { canal, incidenteId, aviso: { ...aviso, mensagens }, tipo: capa.tipo }, now)
}

/** The newest of the gravest events, which are in order of time. */
const gravest = <Evento extends EventoRow>(events: readonly Evento[]): Evento | undefined =>
  events.reduce<Evento | undefined>(
    (best, each) => (best && rankOf(best.gravidade) > rankOf(each.gravidade) ? best : each),
    undefined,
  )

/**
 * Corrects the messages about an incidente after the refutation of its last reported event. Waiting messages are
 * withdrawn; only destinations that got one get the correction.
 */
export async function correctGroup(
  tx: Database,
  { canal, empresa, incidenteId, aviso, evento }: Group & { readonly evento: EventoRow },
  now: number,
): Promise<void> {
  if ((await listReported(tx, canal.id, incidenteId)).length > 0 || aviso.mensagem_id === null) return
  const sent = sentMessages(canal.id, aviso.mensagem_id, aviso.mensagens)
  await withdrawDeliveries(tx, { canalId: canal.id, mensagens: sent, erro: DISCARDED }, now)
  const destinos = await reachedDestinations(tx, canal.id, sent)
  const mensagens = aviso.mensagens + 1
  const mensagem = messageOf({
    id: messageId('incidente', aviso.mensagem_id, canal.id, mensagens),
    empresa,
    capa: evento,
    reported: [evento],
    novos: 0,
    now,
    fase: 'descartado',
  })
  await changeAviso(tx, aviso, { mensagens, ultima_em: now })
  await insertDeliveries(tx, canal, { mensagem, destinos, resumivel: true }, now)
}

export const DISCARDED = 'A verificação descartou o evento antes do envio.'

/** Ids of all messages about an incidente. */
const sentMessages = (canalId: number, first: string, count: number): string[] => [
  first,
  ...Array.from({ length: count - 1 }, (_, i) => messageId('incidente', first, canalId, i + 2)),
]

interface Shown {
  readonly id: string
  readonly empresa: EmpresaRow
  readonly fase: MensagemIncidente['fase'] | 'encerrado'
  readonly novos: number
  readonly capa: EventoRow
  readonly reported: readonly EventoRow[]
  readonly now: number
}

function messageOf(shown: Shown): MensagemIncidente | MensagemFimIncidente {
  const { id, empresa, fase, novos, capa, reported, now } = shown
  const incidente = describeEvents(reported)
  const common = {
    id,
    enviadoEm: now,
    novos,
    empresa: { id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario },
    camera: incidente.camera,
    capa: viewEvento(capa),
  }
  if (fase === 'encerrado') return { tipo: tipoMensagemFim, ...common, incidente }
  const stated = fase === 'descartado' ? ({ ...incidente, eventos: 0, situacao: 'descartado' } as const) : incidente
  return { tipo: 'incidente', fase, ...common, incidente: stated }
}

const { tipos: tiposSchema } = incidenteAvisadoSchema.shape
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** An incidente as its events show it: at least one, in order of time. */
export function describeEvents(events: readonly EventoRow[]): IncidenteAvisado {
  const [first] = events
  const last = events.at(-1)
  if (!first || !last) throw new Error('an incidente without an event is reported')
  return {
    id: first.incidente_id,
    camera: { id: first.camera_id, nome: first.camera_nome },
    tipos: tiposSchema.parse([...new Set(events.map(({ tipo }) => tipo))]),
    gravidade: events.reduce((highest, { gravidade }) => maxGravidade(highest, gravidade), first.gravidade),
    inicio: instant(first.ocorrido_em),
    fim: instant(last.ocorrido_em),
    eventos: events.length,
    situacao: events.some(({ veredito_decisao }) => veredito_decisao === 'confirmado')
      ? 'confirmado'
      : 'nao_verificado',
  }
}
