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
    'Os números de semanas ou meses: eventos por dia, hora, câmera e IA, respostas e tempos, alarmes falsos, ' +
    'quedas. Uma noite, com imagens: resumo_periodo.',
  entrada: z.strictObject({
    desde: instanteComFusoSchema.describe('ISO 8601 com fuso.'),
    ate: instanteComFusoSchema.describe(`Exclusive, até ${MAX_DIAS_RELATORIO} dias depois.`),
    empresa_id: empresaFiltro,
    camera_id: cameraId.optional().describe('Só desta câmera.'),
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
