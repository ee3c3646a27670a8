import { type LacunaVista, lacunaVistaSchema, type Queda, quedaSchema } from '@vigia/contracts/eventos'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cameraId, edgeId, empresaFiltro } from './ids.ts'
import { filterOperations, foundNothing } from './named-in-filter.ts'
import { askPage, paginaEntrada, paginaSaida } from './paging.ts'

const filtros = {
  empresa_id: empresaFiltro,
  edge_id: edgeId.optional().describe('Só desta caixa e suas câmeras.'),
  camera_id: cameraId.optional().describe('Só desta câmera.'),
}

export const quedaTools = [
  defineTool({
    nome: 'listar_quedas',
    titulo: 'Listar quedas',
    descricao:
      'Quando caixas e câmeras estiveram fora do ar, e por quê, da mais nova à mais antiga (`fim` null: ainda ' +
      'dura). Use para saber se alguém não vigiava. Eventos perdidos: listar_lacunas.',
    entrada: z.strictObject({
      ...filtros,
      abertas: z.boolean().optional().describe('true: só as que ainda duram.'),
      ...paginaEntrada,
    }),
    saida: z.object({ quedas: z.array(quedaSchema).describe('As quedas desta página.'), ...paginaSaida }),
    operacoes: ['listarQuedas', ...filterOperations],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { itens, ...pagina } = await askPage<Queda>('listarQuedas', entrada, ctx)
      if (pagina.total === 0) await foundNothing(entrada, ctx)
      return { dados: { quedas: [...itens], ...pagina } }
    },
  }),
  defineTool({
    nome: 'listar_lacunas',
    titulo: 'Listar lacunas',
    descricao:
      'Os eventos que faltam, por câmera, e por quê; `a_caminho` ainda pode chegar. Use antes de afirmar que ' +
      'nada aconteceu. Tempo fora do ar: listar_quedas.',
    entrada: z.strictObject({ ...filtros, ...paginaEntrada }),
    saida: z.object({ lacunas: z.array(lacunaVistaSchema).describe('As lacunas desta página.'), ...paginaSaida }),
    operacoes: ['listarLacunas', ...filterOperations],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { itens, ...pagina } = await askPage<LacunaVista>('listarLacunas', entrada, ctx)
      if (pagina.total === 0) await foundNothing(entrada, ctx)
      return { dados: { lacunas: [...itens], ...pagina } }
    },
  }),
]
