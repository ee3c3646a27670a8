import { type BuscaEventos, type BuscaIncidentes, fraseEntendidaSchema } from '@vigia/contracts/busca'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { incidenteSchema, situacoesIncidente } from '@vigia/contracts/incidentes'
import { instanteComFusoSchema, textoCurto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { eventoResumoSchema, resumeEvent } from './evento-list.ts'
import { cameraId, empresaFiltro } from './ids.ts'
import { foundNothing } from './named-in-filter.ts'
import { queryOf } from './paging.ts'

export const search = defineTool({
  nome: 'buscar',
  titulo: 'Buscar eventos e incidentes',
  descricao:
    'Procura no passado por uma frase: quando, câmera, IA, o que foi visto, nota, quem respondeu. Cor ou parte ' +
    'de placa: consultar_placas. Só filtros: listar_incidentes ou listar_eventos.',
  entrada: z.strictObject({
    em: z.enum(['incidentes', 'eventos']).default('incidentes').describe('Se faltar, incidentes.'),
    texto: textoCurto(200).optional().describe('Ex.: pessoa no portão ontem à noite.'),
    atendido_por: textoCurto(200).optional().describe('Login que respondeu ou revisou.'),
    camera_id: cameraId.optional().describe('Só desta câmera.'),
    empresa_id: empresaFiltro,
    tipo: z.enum(nomesIas).optional().describe('Só desta IA.'),
    gravidade: z.enum(gravidades).optional().describe('Só desta gravidade.'),
    veredito: z.enum(situacoesIncidente).optional().describe('refutado: falso.'),
    desde: instanteComFusoSchema.optional().describe('ISO 8601 com fuso.'),
    ate: instanteComFusoSchema.optional().describe('Até, exclusive.'),
    limite: z.int().min(1).max(200).default(50).describe('De 1 a 200.'),
    cursor: z.string().max(200).optional().describe('`proximo` anterior.'),
  }),
  saida: z.object({
    incidentes: z.array(incidenteSchema).describe('Os incidentes desta página; vazia quando se procuram eventos.'),
    eventos: z.array(eventoResumoSchema).describe('Os eventos desta página; vazia quando se procuram incidentes.'),
    entendido: fraseEntendidaSchema.nullable().describe('O que a frase virou.'),
    proximo: z
      .string()
      .nullable()
      .describe('Mande como `cursor` para continuar, também depois de uma página vazia. null: acabou.'),
  }),
  operacoes: ['buscarIncidentes', 'buscarEventos', 'verCamera'],
  anotacoes: LEITURA,
  run: async ({ em, limite, texto, ...filtros }, ctx) => {
    const query = queryOf({ ...filtros, frase: texto, limit: limite })
    if (em === 'eventos') {
      const { itens, proximo, entendido } = await ctx.json<BuscaEventos>('buscarEventos', { query })
      if (itens.length === 0 && proximo === null) await foundNothing(filtros, ctx)
      return { dados: { incidentes: [], eventos: itens.map(resumeEvent), entendido, proximo } }
    }
    const { itens, proximo, entendido } = await ctx.json<BuscaIncidentes>('buscarIncidentes', { query })
    if (itens.length === 0 && proximo === null) await foundNothing(filtros, ctx)
    return { dados: { incidentes: itens, eventos: [], entendido, proximo } }
  },
})
