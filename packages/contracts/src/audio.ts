import { z } from 'zod'

/**
 * Audio of one camera in an edge's report. `sem_audio`: the stream has none. `formato`: neither AAC-LC nor G.711.
 * Edges that cannot send audio do not report it.
 */
export const audioRelatadoSchema = z.enum(['desligado', 'aguardando', 'enviando', 'sem_audio', 'formato'])
export type AudioRelatado = z.infer<typeof audioRelatadoSchema>

/** `mascara`: the camera has privacy masks, whose copies carry no audio. `caixa_antiga`: the edge cannot send audio. */
export const situacoesAudio = [...audioRelatadoSchema.options, 'mascara', 'caixa_antiga'] as const
export type SituacaoAudio = (typeof situacoesAudio)[number]

export const audioPutSchema = z
  .strictObject({ ligado: z.boolean() })
  .meta({ id: 'AudioPut', examples: [{ ligado: true }] })

export const audioSchema = z
  .object({
    ligado: z.boolean(),
    situacao: z.enum(situacoesAudio).describe('O que a caixa faz agora.'),
    detalhe: z.string().nullable().describe('Por que o som não sai da caixa, e o que fazer.'),
  })
  .meta({ id: 'AudioCamera' })
export type AudioCamera = z.infer<typeof audioSchema>
