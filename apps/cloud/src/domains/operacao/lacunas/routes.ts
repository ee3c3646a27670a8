import { lacunasQuerySchema, lacunaVistaSchema } from '@vigia/contracts/eventos'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { listVisibleGaps } from './list-lacunas.ts'

const PATH = '/api/v1/lacunas'

export const lacunasRoutes = (deps: { readonly db: Database }): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarLacunas',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    efeito: null,
    resumo: 'Lista os eventos que faltam e por quê, do registro mais novo ao mais antigo',
    descricao:
      'Cada câmera conta os seus eventos sem saltar números: o que não está em `/events` está aqui. ' +
      'Com `ate_seq` menor que `de_seq`, não se sabe quantos faltam.',
    query: lacunasQuerySchema,
    respostas: { 200: z.array(lacunaVistaSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listVisibleGaps(deps, caller, query)),
  }),
]
