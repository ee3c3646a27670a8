import { z } from 'zod'
import { eventoSchema } from './eventos.ts'
import { gravidades, nomesIas } from './ias.ts'
import { instanteSchema } from './values.ts'

/** Body of a message about single events; the `teste` has an invented event. */
export const tiposMensagemEvento = ['evento.confirmado', 'evento.nao_verificado', 'evento.descartado'] as const
export const tiposMensagemQueda = ['edge.offline', 'edge.online', 'camera.offline', 'camera.online'] as const

/** Messages about the installation or an Empresa that ask a person to act. */
export const tiposMensagemAviso = ['espaco.esgotado', 'relogio.duvidoso', 'apagamento.retido'] as const
export type TipoMensagemAviso = (typeof tiposMensagemAviso)[number]

/** The end of an incidente. */
export const tipoMensagemFim = 'incidente.encerrado'

/** Kinds of stored messages. A test is sent at once and never stored. */
export const tiposMensagem = [
  ...tiposMensagemEvento,
  'incidente',
  tipoMensagemFim,
  'resumo',
  ...tiposMensagemQueda,
  ...tiposMensagemAviso,
] as const

/** Body of a message that asks a person to act. */
export const corpoAviso = {
  aviso: z
    .object({ titulo: z.string().max(200), texto: z.string().max(1000), desde: instanteSchema })
    .describe('O que foi visto e o que fazer.'),
}

/** An incidente as a message states it: the events of it that the canal reports. */
export const incidenteAvisadoSchema = z
  .object({
    id: z.int().nullable().describe('null: um evento sem incidente, de uma versão anterior.'),
    camera: z.object({ id: z.int(), nome: z.string() }),
    tipos: z.array(z.enum(nomesIas)),
    gravidade: z.enum(gravidades),
    inicio: instanteSchema,
    fim: instanteSchema,
    eventos: z.int().describe('Eventos deste incidente que o canal avisa, sem os descartados.'),
    situacao: z
      .enum(['confirmado', 'nao_verificado', 'descartado'])
      .describe('`descartado`: a verificação descartou todos os eventos avisados.'),
  })
  .meta({ id: 'IncidenteAvisado' })
export type IncidenteAvisado = z.infer<typeof incidenteAvisadoSchema>

/** First message of an incidente, update, or correction. */
export const corpoIncidente = {
  fase: z.enum(['novo', 'atualizacao', 'descartado']),
  novos: z.int().describe('Eventos que entraram desde a mensagem anterior deste incidente.'),
  incidente: incidenteAvisadoSchema,
  capa: eventoSchema.describe('O evento que a mensagem mostra.'),
}

/** The last message of an incidente that takes no more events by their time. */
export const corpoFimIncidente = {
  novos: corpoIncidente.novos,
  incidente: incidenteAvisadoSchema,
  capa: corpoIncidente.capa,
}

export const MAX_ITENS_RESUMO = 500

/** One message in place of many. */
export const corpoResumo = {
  motivo: z
    .enum(['diario', 'atraso'])
    .describe('`diario`: o resumo do dia. `atraso`: o que chegou com atraso, ou esperou pelo destino.'),
  inicio: instanteSchema,
  fim: instanteSchema,
  total: z.int().describe(`Incidentes do período; a lista tem no máximo ${MAX_ITENS_RESUMO}.`),
  incidentes: z.array(
    incidenteAvisadoSchema.extend({
      mensagem_id: z
        .uuid()
        .nullable()
        .describe('`id` da primeira mensagem deste incidente; null: ele não teve mensagem.'),
      avisado: z.boolean().describe('false: a agenda do canal segurou o aviso.'),
    }),
  ),
}
export type ItemResumo = z.infer<(typeof corpoResumo)['incidentes']>[number]
