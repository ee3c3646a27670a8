import { z } from 'zod'
import { idSchema, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'

const MAX_CAMERAS = 500

const cameras = z
  .array(idSchema)
  .min(1)
  .max(MAX_CAMERAS)
  .nullable()
  .describe('Só destas câmeras, também removidas; null: de todas.')

/** A period in the query of a request. `cameras`: ids with commas; absent: all. */
export const periodoQuerySchema = z.object({
  inicio: instanteComFusoSchema.optional().describe('Inclusive; sem o campo: desde sempre.'),
  fim: instanteComFusoSchema.optional().describe('Exclusive, não no futuro; sem o campo: até agora.'),
  cameras: z
    .string()
    .regex(/^\d{1,10}(,\d{1,10}){0,499}$/)
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(idSchema))
    .optional()
    .describe('Ids com vírgulas; sem o campo: todas as câmeras.'),
})
export type PeriodoQuery = z.infer<typeof periodoQuerySchema>

export const contagemApagamentoSchema = z
  .object({
    eventos: z.int().describe('Incidentes saem inteiros, também com eventos logo antes ou depois do período.'),
    de: instanteSchema.nullable().describe('O mais antigo desses eventos.'),
    ate: instanteSchema.nullable().describe('O mais novo desses eventos.'),
    imagens: z.int().describe('Recortes, quadros e outras imagens dos eventos.'),
    clipes: z.int(),
    gravacoes: z.int().describe('Trechos buscados no gravador que tocam o período.'),
    descartados: z.int().describe('Candidatos que a caixa descartou.'),
    preservados: z.int().describe('Eventos que ficam, porque alguém preservou um evento do incidente deles.'),
    preservados_ids: z.array(z.int()).describe('Os eventos preservados, no máximo 50.'),
  })
  .meta({ id: 'ContagemApagamento', description: 'O que um apagamento por período apagaria agora.' })
export type ContagemApagamento = z.infer<typeof contagemApagamentoSchema>

export const apagamentoCreateSchema = z
  .strictObject({
    cameras,
    inicio: instanteComFusoSchema.describe('Inclusive.'),
    fim: instanteComFusoSchema.describe('Exclusive; não no futuro.'),
    motivo: textoCurto(500).describe('Fica na auditoria. Não escreva dados de quem pediu.'),
    contagem: z
      .strictObject({ eventos: z.int().min(0), gravacoes: z.int().min(0), preservados: z.int().min(0) })
      .describe('Os números da contagem que a pessoa viu. Se mudaram: 409.'),
  })
  .meta({
    id: 'ApagamentoCreate',
    examples: [
      {
        ...{ cameras: null, inicio: '2020-01-31T00:00:00-03:00', fim: '2020-02-01T00:00:00-03:00' },
        ...{ motivo: 'Pedido de titular 12/2020', contagem: { eventos: 0, gravacoes: 0, preservados: 0 } },
      },
    ],
  })
export type ApagamentoCreate = z.infer<typeof apagamentoCreateSchema>

export const apagamentoSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    cameras: z.array(z.int()).nullable().describe('null: todas.'),
    inicio: instanteSchema,
    fim: instanteSchema,
    motivo: z.string(),
    pedido_por: z.string(),
    pedido_em: instanteSchema,
    estado: z.enum(['em_curso', 'concluido']),
    concluido_em: instanteSchema.nullable(),
    total: z.int().describe('Eventos a apagar, da contagem.'),
    eventos: z.int().describe('Apagados até agora, como os próximos.'),
    gravacoes: z.int(),
    descartados: z.int(),
    preservados: z.int().describe('Eventos que ficaram.'),
  })
  .meta({ id: 'Apagamento', description: 'Um apagamento por período, com o andamento.' })
export type Apagamento = z.infer<typeof apagamentoSchema>
