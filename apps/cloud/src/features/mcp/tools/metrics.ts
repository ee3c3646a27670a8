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
  descricao:
    'Quantos eventos houve, de todos os tempos, por IA, por gravidade e por veredito, e em quantos a revisão ' +
    'humana concorda com ele. ' +
    'Use para ver quanto de uma câmera é falso alarme (`refutado`). Num período: `total` de listar_eventos com ' +
    '`desde` e `ate`.',
  entrada: z.strictObject({
    camera_id: cameraId.optional().describe('Só desta câmera (id de listar_cameras). Se faltar, todas no escopo.'),
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
