import { VigiaError } from '@vigia/contracts/errors'
import {
  certezaSchema,
  decisoes,
  type Evento,
  type EventoDetalhe,
  esperaDe,
  eventoSchema,
} from '@vigia/contracts/eventos'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Link, Picture, ToolContext } from '../tool.ts'
import { cameraId, empresaFiltro } from './ids.ts'
import { askPage, paginaEntrada } from './paging.ts'

const situacoes = [...decisoes, 'pendente'] as const

/** Fields to choose an event. */
export const eventoResumoSchema = eventoSchema
  .pick({
    id: true,
    empresa_id: true,
    camera_id: true,
    camera_nome: true,
    tipo: true,
    gravidade: true,
    ocorrido_em: true,
    hora_incerta: true,
    confianca: true,
    rotulos: true,
    zona: true,
  })
  .extend({
    veredito: z.enum(situacoes).describe('Decisão da verificação; `pendente` enquanto não terminou.'),
    certeza: certezaSchema.nullable().describe('`baixa`: a verificação não conseguiu decidir; confira a imagem.'),
    motivo: z.string().nullable().describe('Por que a verificação decidiu assim, ou por que ainda espera.'),
    tem_imagem: z.boolean().describe('Se obter_evento traz uma imagem.'),
  })
  .meta({ id: 'EventoResumo', description: 'O que identifica um evento e o que se decidiu dele.' })

export const resumeEvent = (evento: Evento): z.input<typeof eventoResumoSchema> => {
  const { id, empresa_id, camera_id, camera_nome, tipo, gravidade, ocorrido_em, confianca, rotulos, zona } = evento
  const { veredito, crop_url } = evento
  return {
    id,
    empresa_id,
    camera_id,
    camera_nome,
    tipo,
    gravidade,
    ocorrido_em,
    ...(evento.hora_incerta && { hora_incerta: evento.hora_incerta }),
    confianca,
    rotulos,
    zona,
    veredito: veredito?.decisao ?? 'pendente',
    certeza: veredito?.certeza ?? null,
    motivo: veredito?.motivo ?? esperaDe(evento),
    tem_imagem: crop_url !== null,
  }
}

/** Filters, with the names of the route query. */
const filtros = {
  camera_id: cameraId.optional().describe('Só desta câmera.'),
  tipo: z.enum(nomesIas).optional().describe('Só desta IA.'),
  gravidade: z.enum(gravidades).optional().describe('Só desta gravidade.'),
  veredito: z.enum(situacoes).optional().describe('refutado: falso.'),
  certeza: certezaSchema.optional().describe('`baixa`: só os que a verificação não conseguiu decidir.'),
  empresa_id: empresaFiltro,
  desde: instanteComFusoSchema.optional().describe('ISO 8601 com fuso.'),
  ate: instanteComFusoSchema.optional().describe('Até, exclusive.'),
}

export const listaEventosSchema = z.strictObject({ ...filtros, ...paginaEntrada })

/** One page of events, newest first. */
export async function listEvents(entrada: z.output<typeof listaEventosSchema>, ctx: ToolContext) {
  const { itens, ...pagina } = await askPage<Evento>('listarEventos', entrada, ctx)
  return { eventos: itens.map(resumeEvent), ...pagina }
}

/** The same with the review of each event, which the list lacks. */
export async function listReviewed(entrada: z.output<typeof listaEventosSchema>, ctx: ToolContext) {
  const { eventos, ...pagina } = await listEvents(entrada, ctx)
  const reviewed = await Promise.all(
    eventos.map(async (evento) => {
      const { revisao } = await ctx.json<EventoDetalhe>('verEvento', { params: { event_id: String(evento.id) } })
      return { ...evento, revisao: revisao?.rotulo_humano ?? null }
    }),
  )
  return { eventos: reviewed, ...pagina }
}

export const eventLink = (id: number): Link => ({ uri: `vigia://evento/${id}`, nome: `Evento ${id}` })

type Pictured = Pick<Evento, 'id' | 'caixas'>

/** A picture of an event, and which one it is. */
export interface EventoPicture extends Picture {
  readonly imagem: 'crop' | 'quadro'
}

/** The whole frame with its boxes, else the crop; null: the event has none that this login may see. */
export async function framePicture(evento: Pictured, ctx: ToolContext): Promise<EventoPicture | null> {
  const picture = await bestPicture(evento, ctx)
  return picture && (await withBoxes(picture, evento, ctx))
}

/** The same without boxes. */
export const bestPicture = async (evento: Pictured, ctx: ToolContext): Promise<EventoPicture | null> =>
  (await eventPicture(evento, 'quadro', ctx)) ?? (await eventPicture(evento, 'crop', ctx))

/** The boxes are fractions of the whole frame. */
export async function withBoxes(
  picture: EventoPicture,
  { caixas }: Pictured,
  ctx: ToolContext,
): Promise<EventoPicture> {
  const { imagem, tipo, bytes } = picture
  return imagem === 'crop' ? picture : { imagem, tipo, bytes: await ctx.draw(Buffer.from(bytes), caixas) }
}

/** null: the event has no such picture, its file was deleted, or it shows a plate that the login may not see. */
export async function eventPicture(
  { id }: Pictured,
  imagem: 'crop' | 'quadro',
  ctx: ToolContext,
): Promise<EventoPicture | null> {
  try {
    const { tipo, bytes } = await ctx.picture('verImagem', { params: { event_id: String(id) }, query: { imagem } })
    return { imagem, tipo, bytes }
  } catch (error) {
    if (error instanceof VigiaError && (error.code === 'nao_encontrado' || error.code === 'proibido')) return null
    throw error
  }
}
