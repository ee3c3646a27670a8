import { lossReasons, stopReasons } from '@vigia/ias/replay/occasion'
import { z } from 'zod'
import { agendaSchema } from './agenda.ts'
import { configIaSchema } from './calibracao.ts'
import { iasSchema } from './cameras.ts'
import { decisaoSchema } from './eventos.ts'
import { linhaSchema, zonasNovasSchema } from './geometria.ts'
import { horariosSchema } from './horarios.ts'
import { nomesIas } from './ias.ts'
import { idLongoSchema, instanteComFusoSchema, instanteSchema } from './values.ts'

/** Longest period of a simulation, in days. */
export const SIMULACAO_DIAS = 7
/** Largest number of candidates in one simulation. */
export const SIMULACAO_CANDIDATOS = 5000
/** Largest number of items in each list with pictures. */
export const SIMULACAO_ITENS = 200

export const simulacaoCreateSchema = z
  .strictObject({
    desde: instanteComFusoSchema.optional().describe('Inclusive; sem ele, 24 horas antes de `ate`.'),
    ate: instanteComFusoSchema.optional().describe('Exclusive; sem ele, agora.'),
    config_ia: configIaSchema.optional().describe('Inteira, como em PATCH; o que falta nela vale o padrão.'),
    agenda: agendaSchema.optional(),
    horarios: horariosSchema.optional().describe('Em lugar de `agenda`.'),
    zonas: zonasNovasSchema.optional(),
    linha: linhaSchema.optional(),
    eventos_habilitados: iasSchema.optional(),
  })
  .meta({
    id: 'SimulacaoCreate',
    description: 'Os valores propostos. Os campos que faltam ficam como a câmera está.',
    examples: [{ agenda: {} }],
  })
export type SimulacaoCreate = z.infer<typeof simulacaoCreateSchema>

const itemSchema = z
  .object({
    evento_id: idLongoSchema.nullable().describe('null: um candidato que não virou evento.'),
    descartado_id: idLongoSchema.nullable().describe('null: um evento.'),
    tipo: z.enum(nomesIas),
    ocorrido_em: instanteSchema,
    confianca: z.number().min(0).max(1),
    motivo: z
      .enum([...new Set([...lossReasons, ...stopReasons])])
      .describe('Em `somem`, por que não viria; em `surgem`, por que não veio.'),
    exato: z.boolean().describe('false: estimativa.'),
    imagem_url: z.string().nullable(),
    veredito: decisaoSchema.nullable(),
    revisao: decisaoSchema.nullable(),
  })
  .meta({ id: 'ItemSimulacao' })
export type ItemSimulacao = z.infer<typeof itemSchema>

const contagemSchema = z.object({ antes: z.int(), depois: z.int() })

/** Limits of an answer that people read as sentences. */
export const avisosSimulacao = ['sem_descartados', 'descartados_omitidos', 'calibracao_mudou'] as const
export type AvisoSimulacao = (typeof avisosSimulacao)[number]

export const simulacaoSchema = z
  .object({
    camera_id: z.int(),
    desde: instanteSchema,
    ate: instanteSchema,
    antes: z.int().describe('Eventos que vieram.'),
    depois: z.int().describe('Eventos que viriam.'),
    exato: z.boolean().describe('false: ao menos uma parte é estimativa.'),
    ficam: z.array(idLongoSchema).describe('Eventos que viriam também assim.'),
    somem: z.array(itemSchema).describe(`Os ${SIMULACAO_ITENS} mais novos dos que não viriam.`),
    somem_total: z.int(),
    surgem: z.array(itemSchema).describe(`Os ${SIMULACAO_ITENS} mais novos dos que viriam a mais.`),
    surgem_total: z.int(),
    por_ia: z.array(contagemSchema.extend({ tipo: z.enum(nomesIas), exato: z.boolean() })),
    por_hora: z.array(contagemSchema.extend({ inicio: instanteSchema })).describe('Horas com algum evento.'),
    revisados: z
      .object({ verdadeiros: contagemSchema, falsos: contagemSchema })
      .describe('Eventos que uma pessoa revisou: confirmados e refutados.'),
    avisos: z.array(z.object({ codigo: z.enum(avisosSimulacao), texto: z.string() })),
  })
  .meta({ id: 'Simulacao', description: 'O que teria vindo de uma câmera com outros valores. Nada muda.' })
export type Simulacao = z.infer<typeof simulacaoSchema>
