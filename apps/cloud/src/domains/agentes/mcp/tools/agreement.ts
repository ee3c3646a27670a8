import type { Concordancia } from '@vigia/contracts/concordancia'
import { instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cameraId, empresaFiltro } from './ids.ts'
import { queryOf } from './paging.ts'

/** Cameras and IAs that the tool shows. */
const SHOWN = 50

const linha = z.object({
  camera_id: z.int(),
  camera_nome: z.string(),
  ia: z.string(),
  revisados: z.int(),
  concordam: z.int(),
  confirmados_falsos: z.int(),
  refutados_verdadeiros: z.int(),
})

export const queryAgreement = defineTool({
  nome: 'consultar_concordancia',
  titulo: 'Consultar concordância',
  descricao: 'Quanto as revisões de administradores concordam com a verificação, por câmera e IA, num período.',
  entrada: z.strictObject({
    desde: instanteComFusoSchema.describe('ISO 8601 com fuso, inclusive.'),
    ate: instanteComFusoSchema.describe('Exclusive.'),
    empresa_id: empresaFiltro,
    camera_id: cameraId.optional().describe('Só desta câmera.'),
  }),
  saida: z.object({ linhas: z.array(linha).describe(`As ${SHOWN} com mais revisões.`) }),
  operacoes: ['verConcordancia'],
  anotacoes: LEITURA,
  run: async (entrada, ctx) => {
    const { linhas } = await ctx.json<Concordancia>('verConcordancia', { query: queryOf(entrada) })
    const shown = linhas.slice(0, SHOWN).map(({ alta, baixa, sem_certeza, refutado, ...common }) => {
      const { camera_id, camera_nome, ia, revisados, concordam } = common
      return {
        camera_id,
        camera_nome,
        ia,
        revisados,
        concordam,
        confirmados_falsos: alta.falsos + baixa.falsos + sem_certeza.falsos,
        refutados_verdadeiros: refutado.verdadeiros,
      }
    })
    return { dados: { linhas: shown } }
  },
})
