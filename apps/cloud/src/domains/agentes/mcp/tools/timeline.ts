import { type LinhaDoTempo, linhaDoTempoSchema, MAX_HORAS_LINHA } from '@vigia/contracts/linha-do-tempo'
import { instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cameraId, empresaFiltro } from './ids.ts'
import { queryOf } from './paging.ts'

/** Cameras of one answer: whole installations could fill the context of an agent. */
const SHOWN = 25

export const queryTimeline = defineTool({
  nome: 'consultar_linha_do_tempo',
  titulo: 'Consultar linha do tempo',
  descricao:
    'Um dia das câmeras: incidentes, quedas, e quando ninguém tinha a tela aberta. Use para saber se alguém ' +
    'olhava na hora de um incidente. Período maior: consultar_relatorio.',
  entrada: z.strictObject({
    desde: instanteComFusoSchema.describe('ISO 8601 com fuso.'),
    ate: instanteComFusoSchema.describe(`Exclusive, até ${MAX_HORAS_LINHA} horas depois.`),
    empresa_id: empresaFiltro,
    camera_id: cameraId.optional().describe('Só desta câmera.'),
    pagina: z.int().min(1).max(40_000).default(1).describe(`Página de ${SHOWN} câmeras, por nome.`),
  }),
  saida: z.object({ linha: linhaDoTempoSchema.describe('As câmeras desta página, por nome, e `total` de câmeras.') }),
  operacoes: ['verLinhaDoTempo'],
  anotacoes: LEITURA,
  run: async (filtros, ctx) => {
    const query = queryOf({ ...filtros, limit: SHOWN })
    return { dados: { linha: await ctx.json<LinhaDoTempo>('verLinhaDoTempo', { query }) } }
  },
})
