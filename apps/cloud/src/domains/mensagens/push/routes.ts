import { testeCanalSchema } from '@vigia/contracts/notificacoes'
import { inscricaoPushCreateSchema, inscricaoPushSchema, pushSchema } from '@vigia/contracts/push'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { PushDeps } from './deps.ts'
import { listOwn, subscribe, testInscricao, unsubscribe } from './subscribe.ts'

const params = z.object({ inscricao_id: idTexto })
const PATH = '/api/v1/me/inscricoes'

/** A login manages its own browsers, so a `usuario` may too. */
export const pushRoutes = (deps: PushDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/push',
    operacao: 'verPush',
    acesso: 'sessao',
    efeito: 'so_login',
    resumo: 'Mostra a chave com que um navegador se inscreve para receber avisos',
    respostas: { 200: pushSchema },
    handler: async () => ({ status: 200, body: { chave_publica: (await deps.keys.current()).publica } }),
  }),
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarInscricoes',
    acesso: 'sessao',
    efeito: 'so_login',
    resumo: 'Lista os aparelhos que este login avisa',
    respostas: { 200: z.array(inscricaoPushSchema) },
    handler: async ({ caller }) => ({ status: 200, body: await listOwn(deps, caller) }),
  }),
  defineRoute({
    method: 'post',
    path: PATH,
    operacao: 'criarInscricao',
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [404, 409],
    resumo: 'Inscreve um navegador para receber os avisos deste login',
    descricao:
      'Um aviso por incidente confirmado, com imagem, do nível `gravidade_min` para cima. O mesmo navegador outra ' +
      'vez muda a inscrição dele.',
    json: inscricaoPushCreateSchema,
    respostas: { 201: inscricaoPushSchema },
    handler: async ({ caller, json, request }) => ({
      status: 201,
      body: await subscribe(deps, caller, json, contactOf(request.header('host'))),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: `${PATH}/{inscricao_id}`,
    operacao: 'removerInscricao',
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [404],
    resumo: 'Para de avisar um aparelho',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { inscricao_id } }) => {
      await unsubscribe(deps, caller, inscricao_id)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'post',
    path: `${PATH}/{inscricao_id}/teste`,
    operacao: 'testarInscricao',
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [404, 429],
    resumo: 'Manda um aviso de teste a um aparelho',
    params,
    respostas: { 200: testeCanalSchema },
    handler: async ({ caller, params: { inscricao_id }, request }) => ({
      status: 200,
      body: await testInscricao(deps, caller, inscricao_id, request.signal),
    }),
  }),
]

/** Contact of the installation for push services (RFC 8292, section 2.1): the address of its dashboard. */
const contactOf = (host: string | undefined): string =>
  URL.canParse(`https://${host}`) ? new URL(`https://${host}`).origin : 'https://localhost'
