import { type LacunasQuery, lacunasQuerySchema, lacunaVistaSchema } from '@vigia/contracts/eventos'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listVisibleGaps } from './list-gaps.ts'

export const lacunasRoutes = (deps: { readonly db: Database }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/lacunas',
    operacao: 'listarLacunas',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    resumo: 'Lista os eventos que faltam e por quê, do registro mais novo ao mais antigo',
    descricao:
      'Cada câmera conta os seus eventos sem saltar números: o que não está em `/events` está aqui. ' +
      'Com `ate_seq` menor que `de_seq`, não se sabe quantos faltam.',
    query: lacunasQuerySchema,
    respostas: { 200: z.array(lacunaVistaSchema) },
    handler: async ({ caller, query }) => {
      const { lacunas, total } = await listVisibleGaps(deps, caller, query)
      const headers: Record<string, string> = { 'x-total-count': String(total) }
      const next = query.offset + query.limit
      if (next < total) headers.link = `<${nextPage(query, next)}>; rel="next"`
      return { status: 200, body: lacunas, headers }
    },
  }),
]

/** The same query from `offset` on, as a relative reference (RFC 8288). */
function nextPage(query: LacunasQuery, offset: number): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, offset }))
    if (value !== undefined) search.set(name, String(value))
  return `/api/v1/lacunas?${search}`
}
