import { codigoSchema, edgeCreateSchema, edgePatchSchema, edgeSchema } from '@vigia/contracts/edges'
import { camposLista } from '@vigia/contracts/paginas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { answerList } from '../../../http/list-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type ActivationDeps, activationRoutes } from './activation-routes.ts'
import { deleteEdge, patchEdge } from './change-edge.ts'
import { commandRoutes } from './command-routes.ts'
import { createEdge } from './create-edge.ts'
import type { DiagnoseDeps } from './diagnose-edge.ts'
import { getEdge, visibleEdges } from './list-edges.ts'

const params = z.object({ id: idTexto })

export const edgesRoutes = (deps: ActivationDeps & DiagnoseDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/edges',
    operacao: 'listarEdges',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    erros: [429],
    efeito: null,
    resumo: 'Lista as caixas',
    query: z.object({ empresa_id: idTexto.optional(), ...camposLista }),
    respostas: { 200: z.array(edgeSchema) },
    handler: async ({ caller, query }) =>
      await answerList(caller, query, await visibleEdges(deps, caller, query.empresa_id)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/edges',
    operacao: 'criarEdge',
    erros: [409],
    acesso: 'escrita',
    efeito: 'grants',
    resumo: 'Cadastra uma caixa e mostra seu código de ativação, uma única vez',
    json: edgeCreateSchema,
    respostas: { 201: edgeSchema.extend(codigoSchema.shape) },
    handler: async ({ caller, json }) => ({ status: 201, body: await createEdge(deps, caller, json) }),
  }),
  ...activationRoutes(deps),
  defineRoute({
    method: 'get',
    path: '/api/v1/edges/{id}',
    operacao: 'verEdge',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra uma caixa',
    params,
    respostas: { 200: edgeSchema },
    handler: async ({ caller, params: { id } }) => ({ status: 200, body: await getEdge(deps, caller, id) }),
  }),
  ...commandRoutes(deps),
  defineRoute({
    method: 'patch',
    path: '/api/v1/edges/{id}',
    operacao: 'alterarEdge',
    acesso: 'escrita',
    efeito: ['destroys'],
    resumo: 'Muda o nome de uma caixa ou o limite do que ela reenvia',
    params,
    json: edgePatchSchema,
    respostas: { 200: edgeSchema },
    handler: async ({ caller, params: { id }, json }) => ({
      status: 200,
      body: await patchEdge(deps, caller, id, json),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/edges/{id}',
    operacao: 'removerEdge',
    erros: [409],
    acesso: 'escrita',
    efeito: 'destroys',
    resumo: 'Remove uma caixa; suas câmeras passam para outra',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await deleteEdge(deps, caller, id)
      return { status: 204 }
    },
  }),
]
