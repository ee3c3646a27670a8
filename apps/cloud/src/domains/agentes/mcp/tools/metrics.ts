import { type Metricas, metricasSchema } from '@vigia/contracts/eventos'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cameraId, empresaFiltro } from './ids.ts'
import { foundNothing } from './named-in-filter.ts'
import { queryOf } from './paging.ts'

export const queryMetrics = defineTool({
  nome: 'consultar_metricas',
  titulo: 'Consultar métricas',
  descricao: 'Eventos de todos os tempos por IA, gravidade e veredito, e em quantos a revisão humana concorda. ',
  entrada: z.strictObject({
    camera_id: cameraId.optional().describe('Só desta câmera.'),
    empresa_id: empresaFiltro,
  }),
  saida: z.object({ metricas: metricasSchema.describe('Contagens de eventos.') }),
  operacoes: ['contarEventos', 'verCamera'],
  anotacoes: LEITURA,
  run: async (entrada, ctx) => {
    const metricas = await ctx.json<Metricas>('contarEventos', { query: queryOf(entrada) })
    if (metricas.total === 0) await foundNothing(entrada, ctx)
    return { dados: { metricas } }
  },
})
