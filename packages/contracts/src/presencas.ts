import { z } from 'zod'
import { passagemSchema, situacoesPlaca } from './passagens.ts'
import { placaSchema } from './placas.ts'
import { idTexto, instanteSchema, textoCurto } from './values.ts'
import { tiposVeiculo } from './veiculos.ts'

/** Largest number of vehicles in one answer. */
export const MAX_PRESENCAS = 1_000

/** Largest number of passages, and of stays, in the journey of one plate. */
export const MAX_PERCURSO = 200

const movimentoSchema = z
  .object({ passagem_id: z.int(), camera_id: z.int(), camera_nome: z.string(), ocorrido_em: instanteSchema })
  .meta({ id: 'MovimentoVeiculo', description: 'A passagem de uma entrada ou de uma saída.' })

export const presencaSchema = z
  .object({
    empresa_id: z.int(),
    placa: z.string(),
    local: z.string().nullable(),
    situacao: z.enum(situacoesPlaca).nullable().describe('Pelas listas, na entrada.'),
    veiculo: z.enum(tiposVeiculo).nullable().describe('null: só a placa foi vista.'),
    entrada: movimentoSchema,
    permanencia_s: z.int().min(0).describe('Segundos desde a entrada.'),
    sem_saida: z.boolean().describe('Dentro há mais de 24 horas: a saída pode não ter sido lida.'),
    foto_url: z.string().nullable().describe('Da entrada.'),
  })
  .meta({ id: 'Presenca', description: 'Um veículo que entrou e ainda não saiu.' })
export type Presenca = z.infer<typeof presencaSchema>

export const estadiaSchema = z
  .object({
    placa: z.string().describe('Da entrada; sem entrada, da saída.'),
    local: z.string().nullable(),
    aberta: z.boolean().describe('O veículo ainda está dentro.'),
    entrada: movimentoSchema.nullable().describe('null: a entrada não foi lida.'),
    saida: movimentoSchema.nullable().describe('null, e não `aberta`: a saída não foi lida, ou foi encerrada à mão.'),
    saida_semelhante: z.boolean().describe('A placa lida na saída difere da entrada em um caractere.'),
    placa_saida: z.string().nullable().describe('A placa lida na saída.'),
    permanencia_s: z
      .int()
      .min(0)
      .nullable()
      .describe('Segundos da entrada até a saída, ou até agora; null: falta a entrada ou a saída.'),
    encerrada_por: z.string().nullable().describe('Quem encerrou a estadia à mão.'),
    encerrada_em: instanteSchema.nullable(),
  })
  .meta({ id: 'Estadia', description: 'Uma entrada de um veículo com a sua saída.' })
export type Estadia = z.infer<typeof estadiaSchema>

export const percursoSchema = z
  .object({
    placa: z.string(),
    passagens: z.array(passagemSchema).max(MAX_PERCURSO).describe('Da mais nova à mais antiga.'),
    estadias: z.array(estadiaSchema).max(MAX_PERCURSO).describe('Da mais nova à mais antiga.'),
  })
  .meta({ id: 'Percurso', description: 'As passagens e as estadias de uma placa.' })
export type Percurso = z.infer<typeof percursoSchema>

export const presencasQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  local: textoCurto(80).optional().describe('Nome do local, como nas câmeras.'),
})
export type PresencasQuery = z.infer<typeof presencasQuerySchema>

export const percursoQuerySchema = z.object({ placa: placaSchema, empresa_id: idTexto.optional() })
export type PercursoQuery = z.infer<typeof percursoQuerySchema>
