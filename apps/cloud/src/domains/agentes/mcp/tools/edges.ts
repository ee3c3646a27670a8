import { type Edge, edgeSchema } from '@vigia/contracts/edges'
import { diagnosticoSchema } from '@vigia/contracts/pedidos'
import { z } from 'zod'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { LEITURA, LEITURA_FORA } from './annotations.ts'
import { edgeId, empresaFiltro } from './ids.ts'
import { cutPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

/** Fields to choose an edge, or to find one that needs attention. */
const edgeResumoSchema = edgeSchema
  .pick({
    id: true,
    nome: true,
    empresa_id: true,
    status: true,
    status_detalhe: true,
    versao: true,
    visto_em: true,
    cameras: true,
    fila: true,
  })
  .meta({ id: 'EdgeResumo', description: 'O que identifica uma caixa e como ela está.' })

const resumeEdge = (edge: Edge) => edgeResumoSchema.parse(edge)

export const edgeTools = [
  defineTool({
    nome: 'listar_edges',
    titulo: 'Listar edges',
    descricao:
      'As caixas (edges) nos locais, resumidas: status, o que fazer, câmeras e eventos à espera de envio. ' +
      'Disco e relógio: obter_edge.',
    entrada: z.strictObject({ empresa_id: empresaFiltro, ...paginaEntrada }),
    saida: z.object({ edges: z.array(edgeResumoSchema).describe('As caixas desta página.'), ...paginaSaida }),
    operacoes: ['listarEdges'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const all = await ctx.json<Edge[]>('listarEdges', { query: queryOf({ empresa_id: entrada.empresa_id }) })
      const { itens, ...pagina } = cutPage('edges', all, entrada)
      return { dados: { edges: itens.map(resumeEdge), ...pagina } }
    },
  }),
  routeTool({
    nome: 'obter_edge',
    titulo: 'Obter edge',
    descricao:
      'O último relato de uma caixa: fila, disco, memória, CPU, temperatura, relógio, certificado. Não fala ' +
      'com ela: para perguntar agora, diagnosticar_edge.',
    rota: { operacao: 'verEdge', resposta: edgeSchema },
    registro: ['edge_id', edgeId],
    devolve: ['edge', 'A caixa inteira.'],
    anotacoes: LEITURA,
  }),
  routeTool({
    nome: 'diagnosticar_edge',
    titulo: 'Diagnosticar edge',
    descricao: 'Pergunta agora a uma caixa online por processos, câmeras, filas, ligação e avisos do log.',
    rota: { operacao: 'diagnosticarEdge', resposta: diagnosticoSchema },
    registro: ['edge_id', edgeId],
    repete: 'A caixa que respondeu.',
    devolve: ['diagnostico', 'O que a caixa disse de si; tamanhos em bytes, tempos em segundos.'],
    anotacoes: LEITURA_FORA,
  }),
]
