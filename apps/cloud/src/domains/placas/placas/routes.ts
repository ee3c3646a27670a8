import { placaCreateSchema, placaListadaSchema, placaPatchSchema, placasQuerySchema } from '@vigia/contracts/placas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { changePlaca, createPlaca, removePlaca } from './change-placa.ts'
import { csvRoutes } from './csv-routes.ts'
import { getPlaca, listPlacas } from './list-placas.ts'

const PATH = '/api/v1/placas'
const params = z.object({ id: idTexto })

export const placasRoutes = (deps: Parameters<typeof csvRoutes>[0]): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarPlacas',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Lista as placas permitidas e bloqueadas, da mais nova à mais antiga',
    query: placasQuerySchema,
    respostas: { 200: z.array(placaListadaSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listPlacas(deps, caller, query)),
  }),
  defineRoute({
    method: 'post',
    path: PATH,
    operacao: 'criarPlaca',
    erros: [409],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Põe uma placa em uma lista da Empresa',
    descricao: 'Vale para as passagens que chegam depois. As listas ficam na nuvem: nenhuma caixa as recebe.',
    json: placaCreateSchema,
    respostas: { 201: placaListadaSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await createPlaca(deps, caller, json) }),
  }),
  // Before `{id}`, which matches every segment.
  ...csvRoutes(deps),
  defineRoute({
    method: 'get',
    path: `${PATH}/{id}`,
    operacao: 'verPlaca',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Mostra uma placa das listas',
    params,
    respostas: { 200: placaListadaSchema },
    handler: async ({ caller, params: { id } }) => ({ status: 200, body: await getPlaca(deps, caller, id) }),
  }),
  defineRoute({
    method: 'patch',
    path: `${PATH}/{id}`,
    operacao: 'alterarPlaca',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Muda a lista, a nota, o dono ou a validade de uma placa',
    params,
    json: placaPatchSchema,
    respostas: { 200: placaListadaSchema },
    handler: async ({ caller, params: { id }, json }) => ({
      status: 200,
      body: await changePlaca(deps, caller, id, json),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: `${PATH}/{id}`,
    operacao: 'removerPlaca',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Tira uma placa das listas',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await removePlaca(deps, caller, id)
      return { status: 204 }
    },
  }),
]
