import {
  ativadoSchema,
  ativarSchema,
  codigoSchema,
  edgeCreateSchema,
  edgePatchSchema,
  edgeSchema,
} from '@vigia/contracts/edges'
import { camposLista } from '@vigia/contracts/paginas'
import { diagnosticoSchema } from '@vigia/contracts/pedidos'
import { idTexto } from '@vigia/contracts/values'
import { alcanceVarreduraSchema, equipamentoSchema } from '@vigia/contracts/varredura'
import { z } from 'zod'
import type { FailureLimit } from '../../../adapters/rate-limits/interface.ts'
import { answerList } from '../../../http/list-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type ActivateDeps, activateEdge } from './activate-edge.ts'
import { answerRevocationList } from './answer-revocation-list.ts'
import { deleteEdge, patchEdge, renewCode } from './change-edge.ts'
import { createEdge } from './create-edge.ts'
import { type DiagnoseDeps, diagnoseEdge } from './diagnose-edge.ts'
import { getEdge, visibleEdges } from './list-edges.ts'
import { scanNetwork, showScanScope } from './scan-network.ts'

/** Largest body of an activation. */
export const ACTIVATION_BYTES = 16 * 1024

const params = z.object({ id: idTexto })

interface EdgesDeps extends ActivateDeps, DiagnoseDeps {
  /** Wrong codes count against the client address. */
  readonly activationLimit: FailureLimit
}

export const edgesRoutes = (deps: EdgesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/edges',
    operacao: 'listarEdges',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    erros: [429],
    efeito: null,
    resumo: 'Lista os edges',
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
    resumo: 'Cadastra um edge e mostra seu código de ativação, uma única vez',
    json: edgeCreateSchema,
    respostas: { 201: edgeSchema.extend(codigoSchema.shape) },
    handler: async ({ caller, json }) => ({ status: 201, body: await createEdge(deps, caller, json) }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/edges/ativar',
    operacao: 'ativarEdge',
    erros: [401, 409, 429],
    acesso: 'publico',
    efeito: null,
    resumo: 'Ativa um edge: troca o código por um certificado',
    json: ativarSchema,
    limiteBytes: ACTIVATION_BYTES,
    respostas: { 200: ativadoSchema },
    handler: async ({ json, request }) => {
      const from = { endereco: request.remoteAddress, pedido: request.id }
      const body = await deps.activationLimit.guard('ativar', request.remoteAddress, () =>
        activateEdge(deps, json, from),
      )
      return { status: 200, body, headers: { 'cache-control': 'no-store' } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/edges/{id}',
    operacao: 'verEdge',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra um edge',
    params,
    respostas: { 200: edgeSchema },
    handler: async ({ caller, params: { id } }) => ({ status: 200, body: await getEdge(deps, caller, id) }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/edges/{id}/diagnostico',
    operacao: 'diagnosticarEdge',
    erros: [503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Pergunta à caixa como ela está agora',
    params,
    respostas: { 200: diagnosticoSchema },
    handler: async ({ caller, params: { id }, request }) => ({
      status: 200,
      body: await diagnoseEdge(deps, caller, id, request.signal),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/edges/{id}/varredura',
    operacao: 'verAlcanceVarredura',
    erros: [503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Redes e portas em que a caixa procuraria gravadores, sem procurar',
    params,
    respostas: { 200: alcanceVarreduraSchema },
    handler: async ({ caller, params: { id }, request }) => ({
      status: 200,
      body: await showScanScope(deps, caller, id, request.signal),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/edges/{id}/varredura',
    operacao: 'varrerRede',
    erros: [429, 503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Procura gravadores e câmeras nas redes privadas da caixa; uma vez por minuto',
    params,
    respostas: { 200: z.array(equipamentoSchema) },
    handler: async ({ caller, params: { id }, request }) => ({
      status: 200,
      body: await scanNetwork(deps, caller, id, request.signal),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/v1/edges/{id}',
    operacao: 'alterarEdge',
    acesso: 'escrita',
    efeito: ['destroys'],
    resumo: 'Muda o nome de um edge ou o limite do que ele reenvia',
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
    resumo: 'Remove um edge; suas câmeras passam para outro',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await deleteEdge(deps, caller, id)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/edges/{id}/codigo',
    operacao: 'gerarCodigo',
    acesso: 'escrita',
    efeito: 'grants',
    resumo: 'Gera outro código de ativação; o anterior deixa de valer',
    params,
    respostas: { 201: codigoSchema },
    handler: async ({ caller, params: { id } }) => ({ status: 201, body: await renewCode(deps, caller, id) }),
  }),
  defineRoute({
    method: 'get',
    path: '/pki/crl.pem',
    operacao: 'verListaRevogacao',
    erros: [404],
    acesso: 'publico',
    efeito: null,
    resumo: 'Lista de certificados revogados da instalação (X.509 CRL, PEM), para um broker externo',
    cabecalhos: ['ETag'],
    respostas: { 200: { midia: 'application/x-pem-file' }, 304: null },
    handler: ({ request }) => answerRevocationList(deps.db, request.header('if-none-match')),
  }),
]
