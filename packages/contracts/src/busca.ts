import { z } from 'zod'
import { certezaSchema, eventoSchema, eventosQuerySchema } from './eventos.ts'
import { incidenteSchema, incidentesQuerySchema } from './incidentes.ts'
import { instanteSchema, textoCurto } from './values.ts'

/** Largest number of words in one search. */
export const MAX_PALAVRAS = 8

/** Kinds of parts of a sentence. */
const camposDaFrase = [
  'periodo',
  'hora',
  'camera',
  'tipo',
  'coisa',
  'cor',
  'placa',
  'gravidade',
  'certeza',
  'nota',
] as const

const parteEntendidaSchema = z.object({
  campo: z.enum(camposDaFrase),
  valor: z
    .string()
    .describe(
      '`periodo`: primeiro dia; `hora`: HH:MM; `camera`: id; `tipo`: IA; `coisa`: rótulo; `cor` e `placa`: como em ' +
        '`/passagens`; senão como no filtro.',
    ),
  ate: z.string().nullable().describe('Último dia de `periodo`; fim de `hora`, exclusive.'),
  inicio: z.int().describe('Onde as palavras começam na frase, em unidades UTF-16.'),
  fim: z.int(),
})
export type ParteEntendida = z.infer<typeof parteEntendidaSchema>

export const fraseEntendidaSchema = z
  .object({
    partes: z.array(parteEntendidaSchema),
    texto: z.string().nullable().describe('O que foi procurado como `texto`; null: nada.'),
  })
  .meta({ id: 'FraseEntendida' })

const horaSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Use uma hora como 08:30' })

const camposBusca = {
  frase: textoCurto(200)
    .optional()
    .describe(
      'Frase em português, por exemplo `pessoa no portão ontem à noite`: dias, horas, câmera, IA, coisa, gravidade, ' +
        'certeza e nota viram filtros, e o resto fica `texto`. Um filtro dado à parte vale mais. `cor` e parte de ' +
        '`placa` só se acham em `/passagens`.',
    ),
  hora_de: horaSchema
    .optional()
    .describe('Hora do dia no fuso da Empresa, inclusive; com `hora_ate`. Depois de `hora_ate`: passa da meia-noite.'),
  hora_ate: horaSchema.optional().describe('Exclusive.'),
  nota: z.enum(['true', 'false'], { error: 'Use true ou false' }).optional().describe('Com ou sem nota na resposta.'),
  texto: textoCurto(200)
    .optional()
    .describe(
      'Palavras que começam assim, todas, sem diferença de acento ou maiúscula: da câmera, da IA, dos rótulos, da ' +
        `placa, das notas e de quem respondeu. No máximo ${MAX_PALAVRAS} palavras.`,
    ),
  atendido_por: textoCurto(200).optional().describe('Login, ou nome da chave, que respondeu ou revisou.'),
}

export const buscaEventosQuerySchema = eventosQuerySchema.omit({ offset: true }).extend(camposBusca)
export type BuscaEventosQuery = z.infer<typeof buscaEventosQuerySchema>

export const buscaIncidentesQuerySchema = incidentesQuerySchema
  .omit({ offset: true })
  .extend({ ...camposBusca, certeza: certezaSchema.optional().describe('Certeza do veredito.') })
export type BuscaIncidentesQuery = z.infer<typeof buscaIncidentesQuerySchema>

const camposResultado = {
  entendido: fraseEntendidaSchema.nullable().describe('null: sem `frase`.'),
  proximo: z
    .string()
    .nullable()
    .describe('`cursor` da próxima página; null: esta é a última. Uma página pode vir vazia e ter próxima.'),
  indexado_desde: instanteSchema
    .nullable()
    .describe('Depois de uma atualização: o que chegou antes disto ainda não se acha por texto; null: tudo se acha.'),
}

export const buscaEventosSchema = z
  .object({ itens: z.array(eventoSchema), ...camposResultado })
  .meta({ id: 'BuscaEventos' })
export type BuscaEventos = z.infer<typeof buscaEventosSchema>

export const buscaIncidentesSchema = z
  .object({ itens: z.array(incidenteSchema), ...camposResultado })
  .meta({ id: 'BuscaIncidentes' })
export type BuscaIncidentes = z.infer<typeof buscaIncidentesSchema>
