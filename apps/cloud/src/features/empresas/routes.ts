import { empresaCreateSchema, empresaSchema } from '@vigia/contracts/empresas'
import { z } from 'zod'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import { scopeIds } from '../../http/caller.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { createEmpresa } from './create-empresa.ts'
import { listEmpresas } from './store.ts'
import { viewEmpresa } from './view-empresa.ts'

export const empresasRoutes = (deps: { readonly db: Database; readonly clock: Clock }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas',
    acesso: 'sessao',
    resumo: 'Empresas no escopo do login',
    respostas: { 200: z.array(empresaSchema) },
    handler: async ({ caller }) => {
      const rows = await listEmpresas(deps.db, scopeIds(caller))
      return { status: 200, body: rows.map(viewEmpresa) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/empresas',
    acesso: 'escrita',
    resumo: 'Cria uma Empresa abaixo da Empresa do login',
    json: empresaCreateSchema,
    respostas: { 201: empresaSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await createEmpresa(deps, caller, json) }),
  }),
]
