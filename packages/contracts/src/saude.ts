import { z } from 'zod'
import { tiposPorPrazo } from './retencao.ts'
import { instanteSchema } from './values.ts'

/** Warnings for the operator of the server; only codes, because the endpoint is public. */
export const avisoSaudeSchema = z.enum([
  'disco_baixo',
  'disco_cheio',
  'disco_somente_leitura',
  'enlace_fora',
  'relogio_duvidoso',
  'apagamento_retido',
  'imagens_com_versoes',
])
export type AvisoSaude = z.infer<typeof avisoSaudeSchema>

export const saudeSchema = z.object({
  status: z.literal('ok'),
  /** Absent: none. */
  avisos: z.array(avisoSaudeSchema).optional(),
})
export const prontidaoSchema = z.object({ status: z.literal('ok') })

export type Saude = z.infer<typeof saudeSchema>

export const relogioServidorSchema = z
  .object({
    hora: instanteSchema.describe('O relógio do servidor.'),
    idades: instanteSchema.describe('A hora pela qual os prazos contam: nunca depois de `hora`.'),
    duvida: z
      .object({ desde: instanteSchema, desvio_s: z.int().describe('Quanto o relógio mudou, em segundos.') })
      .nullable()
      .describe('null: o relógio está certo.'),
    retidos: z
      .array(
        z.object({
          empresa_id: z.int(),
          empresa: z.string(),
          tipo: z
            .enum(tiposPorPrazo)
            .describe('Um tipo sem prazo na retenção é de toda a instalação, e aparece em cada Empresa raiz.'),
          desde: instanteSchema,
          quantos: z.int().describe('Registros que a varredura apagaria.'),
          total: z.int(),
        }),
      )
      .describe('Apagamentos por prazo que esperam, porque levariam mais da metade.'),
  })
  .meta({ id: 'RelogioServidor' })
export type RelogioServidor = z.infer<typeof relogioServidorSchema>
