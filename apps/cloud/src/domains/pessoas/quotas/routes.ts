import { limitesEmpresaSchema, limitesQuerySchema } from '@vigia/contracts/limites'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { listLimites } from './list-limites.ts'

export const limitesRoutes = (deps: { readonly db: Database; readonly clock: Clock }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/limites',
    operacao: 'listarLimites',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Limites das Empresas no escopo e quanto está em uso',
    descricao:
      'Só para quem administra. O limite e o uso de uma Empresa contam tudo o que está nela e nas que estão abaixo ' +
      'dela; os limites de Empresas irmãs podem somar mais que o da Empresa acima. ' +
      '`limite` é o que vale: o menor entre o da Empresa e os das que estão acima.',
    query: limitesQuerySchema,
    respostas: { 200: z.array(limitesEmpresaSchema) },
    handler: async ({ caller, query }) => ({ status: 200, body: await listLimites(deps, caller, query.empresa_id) }),
  }),
]
