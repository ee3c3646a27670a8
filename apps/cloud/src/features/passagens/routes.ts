import { fotoPassagemQuerySchema, passagemSchema, passagensQuerySchema } from '@vigia/contracts/passagens'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { cursorPage } from '../../http/page-headers.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { getFoto, getPassagem, listPassagens, type PassagensDeps } from './list-passagens.ts'

const PATH = '/api/v1/passagens'
const params = z.object({ id: idTexto })

export const passagensRoutes = (deps: PassagensDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarPassagens',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'trabalho',
    resumo: 'Lista as passagens de veículos, da mais nova à mais antiga',
    descricao: 'Placas são dados pessoais: cada busca por `placa` fica na auditoria.',
    query: passagensQuerySchema,
    respostas: { 200: z.array(passagemSchema) },
    handler: async ({ caller, query }) => {
      const { passagens, total, proximo } = await listPassagens(deps, caller, query)
      return { status: 200, body: passagens, headers: cursorPage(PATH, query, total, proximo) }
    },
  }),
  defineRoute({
    method: 'get',
    path: `${PATH}/{id}`,
    operacao: 'verPassagem',
    acesso: 'trabalho',
    resumo: 'Mostra uma passagem',
    params,
    respostas: { 200: passagemSchema },
    handler: async ({ caller, params: { id } }) => ({ status: 200, body: await getPassagem(deps, caller, id) }),
  }),
  defineRoute({
    method: 'get',
    path: `${PATH}/{id}/foto`,
    operacao: 'verFotoPassagem',
    acesso: 'trabalho',
    resumo: 'Mostra a foto do veículo, ou da placa',
    params,
    query: fotoPassagemQuerySchema,
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ caller, params: { id }, query: { papel } }) => {
      const bytes = await getFoto(deps, caller, id, papel)
      return new Response(new Uint8Array(bytes), {
        headers: {
          'content-type': 'image/jpeg',
          'content-length': String(bytes.length),
          'cache-control': 'private, max-age=60',
          vary: 'Authorization, Cookie',
        },
      })
    },
  }),
]
