import { z } from 'zod'
import { eventoSchema, eventosQuerySchema } from './eventos.ts'
import { incidenteSchema, incidentesQuerySchema } from './incidentes.ts'
import { instanteSchema, textoCurto } from './values.ts'

/** Largest number of words in one search. */
export const MAX_PALAVRAS = 8

const camposBusca = {
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

export const buscaIncidentesQuerySchema = incidentesQuerySchema.omit({ offset: true }).extend(camposBusca)
export type BuscaIncidentesQuery = z.infer<typeof buscaIncidentesQuerySchema>

const camposResultado = {
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
