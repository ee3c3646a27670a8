import { chavesPublicasSchema, metadadosRecursoSchema, metadadosServidorSchema } from '@vigia/contracts/oauth'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { OauthDeps } from './deps.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'

/** Depends on the host of the request, so shared caches may not store it. */
const kept = { 'cache-control': 'private, max-age=300', vary: 'Host' }
/** Shorter than the publication time before a new key signs. */
const keptKeys = { 'cache-control': 'public, max-age=3600' }

const asRequest = { invalid: 'invalid_request' }

/** Metadata of the server for clients: endpoints and public keys. */
export function metadataRoutes(deps: Pick<OauthDeps, 'publicBase' | 'keys'>): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/.well-known/oauth-authorization-server',
      operacao: 'descreverServidorOauth',
      acesso: 'publico',
      efeito: null,
      resumo: 'Metadados do servidor de autorização (RFC 8414)',
      oauth: asRequest,
      erros: [403],
      respostas: { 200: metadadosServidorSchema },
      handler: async ({ request }) => ({
        status: 200,
        body: serverMetadata(await deps.publicBase(request)),
        headers: kept,
      }),
    }),
    ...(
      [
        ['/.well-known/oauth-protected-resource', 'descreverRecursoOauth'],
        ['/.well-known/oauth-protected-resource/mcp', 'descreverRecursoMcp'],
      ] as const
    ).map(([path, operacao]) =>
      defineRoute({
        method: 'get',
        path,
        operacao,
        acesso: 'publico',
        efeito: null,
        resumo: 'Metadados do servidor MCP como recurso (RFC 9728)',
        oauth: asRequest,
        erros: [403],
        respostas: { 200: metadadosRecursoSchema },
        handler: async ({ request }) => ({
          status: 200,
          body: resourceMetadata(await deps.publicBase(request)),
          headers: kept,
        }),
      }),
    ),
    defineRoute({
      method: 'get',
      path: '/.well-known/jwks.json',
      operacao: 'listarChavesOauth',
      acesso: 'publico',
      efeito: null,
      resumo: 'Chaves públicas que verificam os tokens dos agentes',
      respostas: { 200: chavesPublicasSchema },
      handler: async () => ({ status: 200, body: await deps.keys.published(), headers: keptKeys }),
    }),
  ]
}
