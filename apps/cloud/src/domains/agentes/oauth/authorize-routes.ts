import { erroOauthSchema } from '@vigia/contracts/oauth'
import {
  autorizacaoCodigoFormSchema,
  autorizacaoFormSchema,
  autorizacaoQuerySchema,
  decisaoFormSchema,
} from '@vigia/contracts/oauth-authorize'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type AuthorizeDeps, authorizeByForm, decide, showPage, signIn, signInByCode } from './authorize.ts'
import { refusalOnPage } from './authorize-answers.ts'

/** Small, because the sender has no session yet. */
const FORM_BYTES = 64 * 1024

const HTML = { midia: 'text/html' } as const
const oauth = { invalid: 'invalid_request' } as const

export const authorizeRoutes = (deps: AuthorizeDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/oauth/authorize',
    operacao: 'verAutorizacao',
    acesso: 'publico',
    efeito: null,
    resumo: 'Página em que a pessoa entra e autoriza um agente',
    descricao:
      'O endereço a que o agente manda o navegador (RFC 6749, PKCE S256). Um pedido errado de um programa do próprio ' +
      'computador volta para ele com `error`; o de um endereço da web é explicado na página.',
    query: autorizacaoQuerySchema,
    oauth,
    // The handler writes the ticket of the consent page.
    erros: [503],
    respostas: { 200: HTML, 303: null, 400: HTML, 401: erroOauthSchema, 403: HTML, 429: HTML },
    handler: ({ request }) => showPage(deps, request).catch(refusalOnPage),
  }),
  defineRoute({
    method: 'post',
    path: '/oauth/authorize',
    operacao: 'autorizar',
    acesso: 'publico',
    efeito: null,
    resumo: 'Entra e autoriza: redireciona com `code`, `state` e `iss`',
    form: autorizacaoFormSchema,
    limiteBytes: FORM_BYTES,
    oauth,
    erros: [401, 403, 429],
    respostas: { 200: HTML, 303: null, 400: HTML, 401: HTML, 403: HTML, 429: HTML },
    handler: ({ form, request }) =>
      form.etapa === 'consentimento'
        ? signIn(deps, form, request).catch(refusalOnPage)
        : authorizeByForm(deps, form, request),
  }),
  defineRoute({
    method: 'post',
    path: '/oauth/authorize/codigo',
    operacao: 'autorizarComCodigo',
    acesso: 'publico',
    efeito: null,
    resumo: 'A segunda página de quem tem segundo fator: o código',
    form: autorizacaoCodigoFormSchema,
    limiteBytes: FORM_BYTES,
    oauth,
    respostas: { 200: HTML, 303: null, 400: HTML, 401: HTML, 403: HTML, 429: HTML },
    handler: ({ form, request }) => signInByCode(deps, form, request).catch(refusalOnPage),
  }),
  defineRoute({
    method: 'post',
    path: '/oauth/authorize/decisao',
    operacao: 'decidirAutorizacao',
    acesso: 'publico',
    efeito: null,
    resumo: 'O sim ou o não da página de autorização: volta ao programa',
    form: decisaoFormSchema,
    limiteBytes: FORM_BYTES,
    oauth,
    respostas: { 303: null, 400: HTML, 403: HTML, 409: HTML },
    handler: ({ form, request }) => decide(deps, form, request).catch(refusalOnPage),
  }),
]
