import { type Passagem, passagemSchema, situacoesPlaca } from '@vigia/contracts/passagens'
import { type PlacaListada, placaListadaSchema } from '@vigia/contracts/placas'
import { type Presenca, presencaSchema } from '@vigia/contracts/presencas'
import { instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cameraId, empresaFiltro } from './ids.ts'
import { foundNothing } from './named-in-filter.ts'
import { askPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

/** Vehicles inside that one answer shows: all could fill the context of an agent. */
const SHOWN = 200

export const queryPlates = defineTool({
  nome: 'consultar_placas',
  titulo: 'Consultar placas',
  descricao: 'Veículos que passaram, as listas de placas, ou os presentes: entraram e não saíram. Fica na auditoria.',
  entrada: z.strictObject({
    em: z.enum(['passagens', 'listas', 'presentes']).default('passagens').describe('Se faltar, passagens.'),
    placa: z.string().max(20).optional().describe('ABC1D23; * por um trecho.'),
    semelhantes: z.boolean().optional().describe('true: também com um caractere diferente.'),
    situacao: z.enum(situacoesPlaca).optional().describe('Pelas listas.'),
    camera_id: cameraId.optional().describe('Só desta câmera.'),
    empresa_id: empresaFiltro,
    desde: instanteComFusoSchema.optional().describe('ISO 8601 com fuso.'),
    ate: instanteComFusoSchema.optional().describe('Exclusive.'),
    ...paginaEntrada,
  }),
  saida: z.object({
    passagens: z.array(passagemSchema).optional().describe('As passagens desta página.'),
    listas: z.array(placaListadaSchema).optional().describe('As placas permitidas e bloqueadas desta página.'),
    presentes: z.array(presencaSchema).optional().describe(`Os ${SHOWN} últimos a entrar; sem_saida: há mais de 24 h.`),
    total: paginaSaida.total.optional().describe('Como em outras listas; sem ele: presentes.'),
    proximo: paginaSaida.proximo.optional().describe('Como em outras listas; sem ele: presentes.'),
  }),
  operacoes: ['listarPassagens', 'listarPlacas', 'listarPresencas', 'verCamera'],
  anotacoes: LEITURA,
  run: async ({ em, ...entrada }, ctx) => {
    const { placa, empresa_id, limite, cursor, situacao } = entrada
    if (em === 'presentes') {
      const presentes = await ctx.json<Presenca[]>('listarPresencas', { query: queryOf({ empresa_id }) })
      const wanted = presentes.filter((one) => placa === undefined || one.placa === placa)
      return { dados: { presentes: wanted.slice(0, SHOWN) } }
    }
    if (em === 'listas') {
      const lista = situacao === 'desconhecida' ? undefined : situacao
      const filtro = { placa, lista, empresa_id, limite, cursor }
      const { itens, ...pagina } = await askPage<PlacaListada>('listarPlacas', filtro, ctx)
      return { dados: { listas: [...itens], ...pagina } }
    }
    const { itens, ...pagina } = await askPage<Passagem>('listarPassagens', entrada, ctx)
    if (pagina.total === 0) await foundNothing(entrada, ctx)
    return { dados: { passagens: [...itens], ...pagina } }
  },
})
