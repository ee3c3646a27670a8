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
    'Um dia das câmeras: os incidentes, as quedas, e quando ninguém tinha a tela aberta. Use para contar o que houve ' +
    'num turno, ou se alguém olhava na hora de um incidente. Números de um período maior: consultar_relatorio.',
  entrada: z.strictObject({
    desde: instanteComFusoSchema.describe('A partir daqui: ISO 8601 com fuso. 2026-01-31T00:00:00-03:00.'),
    ate: instanteComFusoSchema.describe(`Antes daqui (exclusive), até ${MAX_HORAS_LINHA} horas depois.`),
    empresa_id: empresaFiltro,
    camera_id: cameraId.optional().describe('Só desta câmera (id de listar_cameras).'),
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
