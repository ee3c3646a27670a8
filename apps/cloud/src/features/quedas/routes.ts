import { type QuedasQuery, quedaSchema, quedasQuerySchema } from '@vigia/contracts/eventos'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listVisibleOutages } from './list-outages.ts'

export const quedasRoutes = (deps: { readonly db: Database }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/quedas',
    operacao: 'listarQuedas',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    resumo: 'Lista as quedas de caixas e câmeras, da mais nova à mais antiga',
    descricao:
      'Uma queda começa depois de 30 s sem sinal e termina depois de 15 s com ele; `inicio` é o último sinal de vida. ' +
      'Sem a caixa, as câmeras dela também caem, com `motivo` `edge_offline`.',
    query: quedasQuerySchema,
    respostas: { 200: z.array(quedaSchema) },
    handler: async ({ caller, query }) => {
      const { quedas, total } = await listVisibleOutages(deps, caller, query)
      const headers: Record<string, string> = { 'x-total-count': String(total) }
      const next = query.offset + query.limit
      if (next < total) headers.link = `<${nextPage(query, next)}>; rel="next"`
      return { status: 200, body: quedas, headers }
    },
  }),
]

/** The same query from `offset` on, as a relative reference (RFC 8288). */
function nextPage(query: QuedasQuery, offset: number): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, offset }))
    if (value !== undefined) search.set(name, String(value))
  return `/api/v1/quedas?${search}`
}
