import { quedaSchema, quedasQuerySchema } from '@vigia/contracts/eventos'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { listVisibleQuedas } from './list-quedas.ts'

const PATH = '/api/v1/quedas'

export const quedasRoutes = (deps: { readonly db: Database }): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarQuedas',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    efeito: null,
    resumo: 'Lista as quedas de caixas e câmeras, da mais nova à mais antiga',
    descricao:
      'Uma queda começa depois de 30 s sem sinal e termina depois de 15 s com ele; ' +
      '`inicio` é o último sinal de vida. ' +
      'Sem a caixa, as câmeras dela também caem, com `motivo` `edge_offline`.',
    query: quedasQuerySchema,
    respostas: { 200: z.array(quedaSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listVisibleQuedas(deps, caller, query)),
  }),
]
