import { type AutorizacoesQuery, autorizacaoSchema, autorizacoesQuerySchema } from '@vigia/contracts/autorizacoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../http/route.ts'
import { type AutorizacoesDeps, listVisibleAuthorizations } from './list-authorizations.ts'
import { takeBackAuthorization } from './take-back-authorization.ts'

export const autorizacoesRoutes = (deps: AutorizacoesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/autorizacoes',
    operacao: 'listarAutorizacoes',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    resumo: 'Lista os agentes que têm acesso agora, do mais novo ao mais antigo',
    descricao:
      'Um `usuario` vê os agentes que ele mesmo autorizou; um `administrador`, os de todos os logins no seu escopo. ' +
      'Acessos revogados, vencidos ou que o agente nunca buscou não aparecem.',
    query: autorizacoesQuerySchema,
    respostas: { 200: z.array(autorizacaoSchema) },
    handler: async ({ caller, query }) => {
      const { autorizacoes, total } = await listVisibleAuthorizations(deps, caller, query)
      const headers: Record<string, string> = { 'x-total-count': String(total) }
      const next = query.offset + query.limit
      if (next < total) headers.link = `<${nextPage(query, next)}>; rel="next"`
      return { status: 200, body: autorizacoes, headers }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/autorizacoes/{id}',
    operacao: 'revogarAutorizacao',
    acesso: 'escrita',
    resumo: 'Retira o acesso de um agente; os tokens dele deixam de valer na hora',
    params: z.object({ id: idTexto }),
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await takeBackAuthorization(deps, caller, id)
      return { status: 204 }
    },
  }),
]

/** The same query from `offset` on, as a relative reference (RFC 8288). */
function nextPage(query: AutorizacoesQuery, offset: number): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, offset }))
    if (value !== undefined) search.set(name, String(value))
  return `/api/v1/autorizacoes?${search}`
}
