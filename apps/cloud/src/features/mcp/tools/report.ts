import { MAX_DIAS_RELATORIO, type Relatorio, relatorioSchema } from '@vigia/contracts/relatorios'
import { instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cameraId, empresaFiltro } from './ids.ts'
import { queryOf } from './paging.ts'

/** Cameras, people and subjects of quedas that the tool shows: whole tables could fill the context of an agent. */
const SHOWN = 50

export const queryReport = defineTool({
  nome: 'consultar_relatorio',
  titulo: 'Consultar relatório',
  descricao:
    'Os números de um período: eventos por dia, hora, câmera e IA, respostas e tempo até elas, alarmes falsos e ' +
    'quedas. Use para resumir uma semana ou um mês, ou comparar dois períodos. Contagem de todos os tempos: ' +
    'consultar_metricas. Os incidentes um a um: listar_incidentes.',
  entrada: z.strictObject({
    desde: instanteComFusoSchema.describe('A partir daqui: ISO 8601 com fuso. 2026-01-31T00:00:00-03:00.'),
    ate: instanteComFusoSchema.describe(`Antes daqui (exclusive), até ${MAX_DIAS_RELATORIO} dias depois.`),
    empresa_id: empresaFiltro,
    camera_id: cameraId.optional().describe('Só desta câmera (id de listar_cameras).'),
  }),
  saida: z.object({
    relatorio: relatorioSchema.describe(`Cada tabela traz as ${SHOWN} linhas com mais; \`total\` conta tudo.`),
  }),
  operacoes: ['verRelatorio'],
  anotacoes: LEITURA,
  run: async (entrada, ctx) => {
    const report = await ctx.json<Relatorio>('verRelatorio', { query: queryOf(entrada) })
    const relatorio: Relatorio = {
      ...report,
      por_camera: report.por_camera.slice(0, SHOWN),
      respostas: { ...report.respostas, por_pessoa: report.respostas.por_pessoa.slice(0, SHOWN) },
      quedas: { ...report.quedas, por_nome: report.quedas.por_nome.slice(0, SHOWN) },
    }
    return { dados: { relatorio } }
  },
})
