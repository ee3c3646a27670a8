import { z } from 'zod'
import { nomesIas } from './ias.ts'
import { idTexto, instanteComFusoSchema, instanteSchema } from './values.ts'

/** Longest period of a report. */
export const MAX_DIAS_RELATORIO = 366
/** Cameras, people and subjects of quedas in one report: those with the most. */
export const MAX_LINHAS_RELATORIO = 1_000

const contagem = { eventos: z.int(), confirmados: z.int(), refutados: z.int(), pendentes: z.int() }

/** Durations of a group in whole seconds; null: it is empty. */
const tempos = {
  mediana_s: z.int().nullable().describe('Do começo do incidente à primeira resposta; null: ninguém respondeu.'),
  p90_s: z.int().nullable().describe('Nove em dez respostas vieram até aqui.'),
}

export const relatorioSchema = z
  .object({
    desde: instanteSchema,
    ate: instanteSchema,
    fuso_horario: z.string().describe('O fuso dos dias e das horas.'),
    total: z.object(contagem),
    por_dia: z.array(z.object({ dia: z.string().describe('2026-01-31'), ...contagem })),
    por_hora: z.array(z.object({ hora: z.int(), ...contagem })).describe('As 24 horas do dia, todos os dias juntos.'),
    por_camera: z.array(z.object({ camera_id: z.int(), camera_nome: z.string(), ...contagem })),
    por_ia: z.array(z.object({ tipo: z.enum(nomesIas), ...contagem })),
    respostas: z.object({
      incidentes: z.int().describe('Os que não foram refutados, ou que alguém respondeu.'),
      respondidos: z.int(),
      verdadeiros: z.int(),
      falsos: z.int(),
      nao_sei: z.int(),
      falso_alarme: z
        .number()
        .nullable()
        .describe('Falsos entre verdadeiros e falsos, de 0 a 1; null: nenhuma resposta dessas.'),
      ...tempos,
      por_pessoa: z.array(z.object({ revisor: z.string(), respondidos: z.int(), ...tempos })),
    }),
    quedas: z.object({
      total: z.int(),
      segundos: z.int().describe('Somados, só o que cai no período.'),
      por_nome: z.array(
        z.object({
          nome: z.string(),
          edge_id: z.int().nullable(),
          camera_id: z.int().nullable().describe('null: a caixa inteira.'),
          total: z.int(),
          segundos: z.int(),
        }),
      ),
    }),
  })
  .meta({ id: 'Relatorio', description: 'O que houve num período. Cada tabela traz no máximo 1000 linhas.' })
export type Relatorio = z.infer<typeof relatorioSchema>

export const tabelasRelatorio = ['dia', 'hora', 'camera', 'ia', 'pessoa', 'queda'] as const
export type TabelaRelatorio = (typeof tabelasRelatorio)[number]

export const relatorioQuerySchema = z.object({
  desde: instanteComFusoSchema.describe('Inclusive.'),
  ate: instanteComFusoSchema.describe(`Exclusive; no máximo ${MAX_DIAS_RELATORIO} dias depois de \`desde\`.`),
  empresa_id: idTexto.optional(),
  camera_id: idTexto.optional(),
})
export type RelatorioQuery = z.infer<typeof relatorioQuerySchema>

export const relatorioCsvQuerySchema = relatorioQuerySchema.extend({
  tabela: z.enum(tabelasRelatorio).describe('Qual tabela do relatório.'),
})
