import { preferenciasPatchSchema, preferenciasSchema } from '@vigia/contracts/preferencias'
import type { Database } from '../../../db/open.ts'
import { requireLogin } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { findPreferencias, savePreferencias } from './store.ts'

const PATH = '/api/v1/me/preferencias'

export const preferenciasRoutes = ({ db }: { readonly db: Database }): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'verPreferencias',
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [403],
    resumo: 'As frases prontas e os arranjos do mosaico deste login',
    respostas: { 200: preferenciasSchema },
    handler: async ({ caller }) => ({ status: 200, body: await findPreferencias(db, requireLogin(caller)) }),
  }),
  defineRoute({
    method: 'patch',
    path: PATH,
    operacao: 'mudarPreferencias',
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [403],
    resumo: 'Troca as frases prontas ou os arranjos do mosaico deste login',
    json: preferenciasPatchSchema,
    respostas: { 200: preferenciasSchema },
    handler: async ({ caller, json }) => ({
      status: 200,
      body: await savePreferencias(db, requireLogin(caller), json),
    }),
  }),
]
