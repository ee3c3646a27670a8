import {
  pendenciaSchema,
  pendenciasQuerySchema,
  pendenciasRepetidasSchema,
  repetirPendenciasSchema,
} from '@vigia/contracts/pendencias'
import { z } from 'zod'
import { cursorPage } from '../../../http/page-headers.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { listPendencias } from './list-pendencias.ts'
import { type PendenciasDeps, retryPendencias } from './retry-pendencias.ts'

const PATH = '/api/v1/pendencias'

export const pendenciasRoutes = (deps: PendenciasDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarPendencias',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Lista verificações e notificações paradas, da mais nova à mais antiga',
    descricao:
      'Uma verificação para quando o tempo sozinho dificilmente resolve (sem imagem, imagem ilegível, ' +
      'sem verificador para esse tipo) e é tentada de novo a cada 6 h. ' +
      'Uma notificação para depois de 24 h sem sucesso e fica aqui por 30 dias.',
    query: pendenciasQuerySchema,
    respostas: { 200: z.array(pendenciaSchema) },
    handler: async ({ caller, query }) => {
      const { pendencias, total, proximo } = await listPendencias(deps, caller, query)
      return { status: 200, body: pendencias, headers: cursorPage(PATH, query, total, proximo) }
    },
  }),
  defineRoute({
    method: 'post',
    path: `${PATH}/repetir`,
    operacao: 'repetirPendencias',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Tenta de novo, agora, o que está parado',
    descricao:
      'Uma notificação volta a ter 24 h de tentativas. O que não está no escopo ou já não está parado fica de fora.',
    json: repetirPendenciasSchema,
    respostas: { 200: pendenciasRepetidasSchema },
    handler: async ({ caller, json }) => ({ status: 200, body: { ids: await retryPendencias(deps, caller, json) } }),
  }),
]
