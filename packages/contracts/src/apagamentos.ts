import { z } from 'zod'
import { placaSchema } from './placas.ts'
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

/** Kinds of records that a deletion leaves. */
export const dadosQueFicam = ['eventos', 'passagens', 'placas', 'cameras', 'auditoria', 'entregas'] as const
export type DadoQueFica = (typeof dadosQueFicam)[number]

const ficouSchema = z
  .object({
    dado: z.enum(dadosQueFicam),
    quantos: z.int().min(1),
    motivo: z.string().describe('Onde estão, por que ficam e o que fazer.'),
  })
  .meta({ id: 'FicouApagamento', description: 'O que um apagamento deixa, e por quê.' })
export type Ficou = z.infer<typeof ficouSchema>
export const ficouListaSchema = z.array(ficouSchema)

const placa = placaSchema.describe(
  'Só o que tem esta placa: passagens, eventos de placa e as imagens deles. Sem o campo: tudo do período.',
)

export const contagemApagamentoQuerySchema = periodoQuerySchema.extend({ placa: placa.optional() })
export type ContagemApagamentoQuery = z.infer<typeof contagemApagamentoQuerySchema>

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
    passagens: z.int().describe('Passagens de veículos que saem, com as fotos e os dados de treinamento delas.'),
    passagens_preservadas: z.int().describe('Passagens que ficam, porque alguém preservou um evento delas.'),
    ficam: ficouListaSchema.describe('Tudo o que fica, com o motivo.'),
  })
  .meta({ id: 'ContagemApagamento', description: 'O que um apagamento por período apagaria agora.' })
export type ContagemApagamento = z.infer<typeof contagemApagamentoSchema>

export const apagamentoCreateSchema = z
  .strictObject({
    cameras,
    inicio: instanteComFusoSchema.describe('Inclusive.'),
    fim: instanteComFusoSchema.describe('Exclusive; não no futuro.'),
    placa: placa.optional(),
    motivo: textoCurto(500).describe('Fica na auditoria. Não escreva dados de quem pediu.'),
    contagem: z
      .strictObject({
        eventos: z.int().min(0),
        gravacoes: z.int().min(0),
        preservados: z.int().min(0),
        passagens: z.int().min(0).optional(),
      })
      .describe('Os números da contagem que a pessoa viu. Se mudaram: 409.'),
  })
  .meta({
    id: 'ApagamentoCreate',
    examples: [
      {
        cameras: null,
        inicio: '2020-01-31T00:00:00-03:00',
        fim: '2020-02-01T00:00:00-03:00',
        motivo: 'Pedido de titular 12/2020',
        contagem: { eventos: 0, gravacoes: 0, preservados: 0 },
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
    placa: z.string().nullable().describe('null: de todas. `*`: de uma placa; ela é esquecida no fim.'),
    passagens: z.int(),
    passagens_preservadas: z.int().describe('Passagens que ficaram.'),
    ficou: ficouListaSchema.nullable().describe('O que ficou, e por quê; null: ainda em curso, ou de outra versão.'),
  })
  .meta({ id: 'Apagamento', description: 'Um apagamento por período, com o andamento.' })
export type Apagamento = z.infer<typeof apagamentoSchema>
