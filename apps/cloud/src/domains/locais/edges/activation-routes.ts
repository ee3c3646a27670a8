import { ativadoSchema, ativarSchema, codigoSchema } from '@vigia/contracts/edges'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { FailureLimit } from '../../../adapters/rate-limits/interface.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type ActivateDeps, activateEdge } from './activate-edge.ts'
import { answerRevocationList } from './answer-revocation-list.ts'
import { renewCode } from './change-edge.ts'

/** Largest body of an activation. */
export const ACTIVATION_BYTES = 16 * 1024

const params = z.object({ id: idTexto })

export interface ActivationDeps extends ActivateDeps {
  /** Wrong codes count against the client address. */
  readonly activationLimit: FailureLimit
}

/** The access of an edge: its activation code, its certificate, and the list of revoked certificates. */
export const activationRoutes = (deps: ActivationDeps): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/edges/ativar',
    operacao: 'ativarEdge',
    erros: [401, 409, 429],
    acesso: 'publico',
    efeito: null,
    resumo: 'Ativa uma caixa: troca o código por um certificado',
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
