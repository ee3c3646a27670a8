import { z } from 'zod'
import { camposPagina } from './paginas.ts'
import { idLongoSchema, idTexto, instanteSchema } from './values.ts'

export const tiposPendencia = ['verificacao', 'notificacao'] as const

/** Work that stopped after a permanent failure; a person may retry it. */
export const pendenciaSchema = z
  .object({
    id: z.int(),
    tipo: z.enum(tiposPendencia),
    empresa_id: z.int(),
    evento_id: z.int().nullable().describe('O evento sem veredito, ou o que a notificação conta; null: outro aviso.'),
    canal_id: z.int().nullable().describe('O canal da notificação; null: uma verificação, ou o canal foi removido.'),
    camera_nome: z.string().nullable(),
    motivo: z.string().describe('Por que a última tentativa falhou.'),
    tentativas: z.int(),
    criada_em: instanteSchema,
    parada_em: instanteSchema.describe('Quando a última tentativa falhou.'),
    proxima_em: instanteSchema.nullable().describe('A próxima tentativa automática; null: só se alguém repetir.'),
  })
  .meta({ id: 'Pendencia', description: 'Uma verificação ou notificação que não deu certo e está parada.' })
export type Pendencia = z.infer<typeof pendenciaSchema>

export const pendenciasQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  tipo: z.enum(tiposPendencia).optional(),
  ...camposPagina,
})
export type PendenciasQuery = z.infer<typeof pendenciasQuerySchema>

export const repetirPendenciasSchema = z
  .object({ ids: z.array(idLongoSchema).min(1).max(200) })
  .meta({ id: 'RepetirPendencias', examples: [{ ids: [1] }] })
export type RepetirPendencias = z.infer<typeof repetirPendenciasSchema>

export const pendenciasRepetidasSchema = z
  .object({ ids: z.array(z.int()).describe('As que serão tentadas de novo; as outras já não estavam paradas.') })
  .meta({ id: 'PendenciasRepetidas' })

/** Number of events of one Empresa without a verdict. */
export const filaVerificacaoSchema = z
  .object({
    empresa_id: z.int(),
    esperando: z.int().describe('Eventos sem veredito na fila; os parados estão em `/pendencias`.'),
    mais_antigo_em: instanteSchema.describe('Quando chegou o que espera há mais tempo.'),
    espera_s: z.int().describe('Há quantos segundos ele espera.'),
    atrasada: z.boolean().describe('Espera mais do que o limite da instalação (`VIGIA_VERIFICACAO_ATRASO_S`).'),
  })
  .meta({ id: 'FilaVerificacao' })
export type FilaVerificacao = z.infer<typeof filaVerificacaoSchema>

export const filaVerificacaoQuerySchema = z.object({ empresa_id: idTexto.optional() })
