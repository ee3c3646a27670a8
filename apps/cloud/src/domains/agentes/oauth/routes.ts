import {
  clienteRegistradoSchema,
  erroOauthSchema,
  registroClienteSchema,
  revogacaoSchema,
  tokensOauthSchema,
  trocaTokenSchema,
} from '@vigia/contracts/oauth'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import type { From, OauthDeps } from './deps.ts'
import { exchangeGrant } from './exchange-grant.ts'
import { metadataRoutes } from './metadata-routes.ts'
import { refusalAnswer } from './refusals.ts'
import { registerClient } from './register-client.ts'
import { revokeToken } from './revoke-token.ts'

/** Small, because the sender has no session. */
const BODY_BYTES = 64 * 1024

/** RFC 6749 section 5.1. */
const unkept = { 'cache-control': 'no-store', pragma: 'no-cache' }

const asRequest = { invalid: 'invalid_request' }
const asRegistration = {
  invalid: 'invalid_client_metadata',
  fields: { redirect_uris: 'invalid_redirect_uri' },
}

const fromOf = ({ remoteAddress, id }: RequestInfo): From => ({ endereco: remoteAddress, pedido: id })

/** The authorization server of agents, without the page at /oauth/authorize. */
export function oauthRoutes(deps: OauthDeps): Route[] {
  return [
    ...metadataRoutes(deps),
    defineRoute({
      method: 'post',
      path: '/oauth/register',
      operacao: 'registrarClienteOauth',
      acesso: 'publico',
      efeito: null,
      resumo: 'Registra um programa que quer entrar em nome de um login (RFC 7591)',
      descricao: 'Um registro que ninguém autoriza em 24 horas, ou que fica 90 dias sem uso, deixa de existir.',
      oauth: asRegistration,
      erros: [429],
      json: registroClienteSchema,
      limiteBytes: BODY_BYTES,
      respostas: { 201: clienteRegistradoSchema, 400: erroOauthSchema },
      handler: async ({ json, request }) => {
        const client = await registerClient(deps, json, fromOf(request))
        if ('recusa' in client) return { status: 400, body: refusalAnswer(client).body, headers: unkept }
        return { status: 201, body: client, headers: unkept }
      },
    }),
    defineRoute({
      method: 'post',
      path: '/oauth/token',
      operacao: 'trocarCodigoPorToken',
      acesso: 'publico',
      efeito: null,
      resumo: 'Troca o código, ou um token de renovação, por um token de acesso',
      oauth: asRequest,
      erros: [403, 429],
      form: trocaTokenSchema,
      limiteBytes: BODY_BYTES,
      respostas: { 200: tokensOauthSchema, 400: erroOauthSchema, 401: erroOauthSchema },
      handler: async ({ form, request }) => {
        if (bringsSecret(form, request)) return secretRefused()
        const base = await deps.publicBase(request)
        const tokens = await exchangeGrant(deps, { form, base, from: fromOf(request) })
        if ('recusa' in tokens) return { ...refusalAnswer(tokens), headers: unkept }
        return { status: 200, body: tokens, headers: unkept }
      },
    }),
    defineRoute({
      method: 'post',
      path: '/oauth/revoke',
      operacao: 'revogarToken',
      acesso: 'publico',
      efeito: null,
      resumo: 'Encerra a autorização de um token de acesso ou de renovação (RFC 7009)',
      descricao: 'A resposta é a mesma, valha o token ou não.',
      oauth: asRequest,
      erros: [403],
      form: revogacaoSchema,
      limiteBytes: BODY_BYTES,
      respostas: { 200: null, 400: erroOauthSchema, 401: erroOauthSchema },
      handler: async ({ form, request }) => {
        if (bringsSecret(form, request)) return secretRefused()
        await revokeToken(deps, form, await deps.publicBase(request), fromOf(request))
        return { status: 200, headers: unkept }
      },
    }),
  ]
}

/**
 * Clients of this server have no secret: a client with a secret was registered elsewhere. Libraries send an empty
 * secret for none.
 */
function bringsSecret(form: { client_secret?: string | undefined }, request: RequestInfo): boolean {
  const basic = /^basic +(\S+)\s*$/i.exec(request.header('authorization') ?? '')?.[1]
  const [, ...secret] = Buffer.from(basic ?? '', 'base64')
    .toString('utf8')
    .split(':')
  return Boolean(form.client_secret) || secret.join(':') !== ''
}

/** RFC 6749 section 5.2: a 401 names the authentication scheme of the client. */
const secretRefused = () =>
  ({
    status: 401,
    body: refusalAnswer({ recusa: 'invalid_client' }).body,
    headers: { ...unkept, 'www-authenticate': 'Basic realm="vigia"' },
  }) as const
