import {
  conviteAbertoSchema,
  conviteAceitarSchema,
  conviteAceitoSchema,
  conviteCreateSchema,
  conviteCriadoSchema,
  conviteSchema,
  convitesQuerySchema,
  conviteVerSchema,
} from '@vigia/contracts/convites'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { requestHost } from '../../../http/client-address.ts'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { acceptConvite } from './accept-convite.ts'
import { createConvite } from './create-convite.ts'
import type { ConvitesDeps } from './deps.ts'
import { listVisibleConvites } from './list-convites.ts'
import { openConvite } from './open-convite.ts'
import { removeConvite } from './remove-convite.ts'

const PATH = '/api/v1/convites'

/** Small, because the sender has no session. */
const PUBLIC_BYTES = 16 * 1024
const PRIVATE = { 'cache-control': 'no-store' } as const

const from = ({ remoteAddress: address, header, id: pedido }: RequestInfo) => ({
  address,
  host: requestHost(header),
  pedido,
})

export function convitesRoutes(deps: ConvitesDeps): Route[] {
  const originOf = ({ https, header }: RequestInfo) =>
    deps.urlPublica ?? `${https ? 'https' : 'http'}://${header('host') ?? ''}`

  return [
    defineRoute({
      method: 'get',
      path: PATH,
      operacao: 'listarConvites',
      cabecalhos: ['X-Total-Count', 'Link'],
      acesso: 'escrita',
      efeito: 'so_login',
      resumo: 'Lista os convites em aberto no escopo, do mais novo ao mais antigo',
      query: convitesQuerySchema,
      respostas: { 200: z.array(conviteSchema) },
      handler: async ({ caller, query }) => answerPage(PATH, query, await listVisibleConvites(deps, caller, query)),
    }),
    defineRoute({
      method: 'post',
      path: PATH,
      operacao: 'criarConvite',
      erros: [409, 429],
      acesso: 'escrita',
      efeito: 'grants',
      resumo: 'Cria um convite: um link de uso único, por 72 horas',
      descricao:
        'Quem o abre escolhe o próprio nome de usuário e a senha. O convite acaba antes se for retirado, ou se o ' +
        'login de quem convidou mudar de senha ou de papel, for desativado ou removido.',
      json: conviteCreateSchema,
      respostas: { 201: conviteCriadoSchema },
      handler: async ({ caller, json, request }) => ({
        status: 201,
        body: await createConvite(deps, caller, json, originOf(request)),
        headers: PRIVATE,
      }),
    }),
    defineRoute({
      method: 'delete',
      path: `${PATH}/{id}`,
      operacao: 'removerConvite',
      acesso: 'escrita',
      efeito: 'so_login',
      resumo: 'Retira um convite: o link deixa de valer na hora',
      params: z.object({ id: idTexto }),
      respostas: { 204: null },
      handler: async ({ caller, params: { id } }) => {
        await removeConvite(deps, caller, id)
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/ver`,
      operacao: 'verConvite',
      erros: [403, 404, 429],
      acesso: 'publico',
      efeito: null,
      resumo: 'A Empresa e o papel de um convite que ainda vale',
      json: conviteVerSchema,
      limiteBytes: PUBLIC_BYTES,
      respostas: { 200: conviteAbertoSchema },
      handler: async ({ json, request }) => {
        const { empresa_nome, papel, expira_em } = await openConvite(deps, json.token, from(request))
        const body = { empresa_nome, papel, expira_em: new Date(expira_em).toISOString() }
        return { status: 200, body, headers: PRIVATE }
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/aceitar`,
      operacao: 'aceitarConvite',
      erros: [403, 404, 409, 429],
      acesso: 'publico',
      efeito: null,
      resumo: 'Cria o login de quem foi convidado e gasta o convite',
      json: conviteAceitarSchema,
      limiteBytes: PUBLIC_BYTES,
      respostas: { 201: conviteAceitoSchema },
      handler: async ({ json, request }) => ({
        status: 201,
        body: await acceptConvite(deps, json, from(request)),
        headers: PRIVATE,
      }),
    }),
  ]
}
