import {
  estadiaSchema,
  percursoQuerySchema,
  percursoSchema,
  presencaSchema,
  presencasQuerySchema,
} from '@vigia/contracts/presencas'
import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { closeEstadia } from './close-estadia.ts'
import { getPercurso, listPresencas, type PresencasDeps } from './list-presencas.ts'

const PATH = '/api/v1/passagens'

/** Mount before passagensRoutes, whose `{id}` also matches `presentes` and `percurso`. */
export const presencasRoutes = (deps: PresencasDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: `${PATH}/presentes`,
    operacao: 'listarPresencas',
    cabecalhos: ['X-Total-Count'],
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Lista os veículos que estão dentro, da entrada mais nova à mais antiga',
    descricao:
      'Vale para câmeras com papel de entrada ou de saída, e para entradas dos últimos 30 dias. No máximo 1.000 ' +
      'veículos; `X-Total-Count` diz quantos são ao todo.',
    query: presencasQuerySchema,
    respostas: { 200: z.array(presencaSchema) },
    handler: async ({ caller, query }) => {
      const { presencas, total } = await listPresencas(deps, caller, query)
      return { status: 200, body: presencas, headers: { 'x-total-count': String(total) } }
    },
  }),
  defineRoute({
    method: 'get',
    path: `${PATH}/percurso`,
    erros: [429],
    operacao: 'verPercurso',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Mostra as passagens e as estadias de uma placa',
    descricao: 'Placas são dados pessoais: cada consulta fica na auditoria.',
    query: percursoQuerySchema,
    respostas: { 200: percursoSchema },
    handler: async ({ caller, query }) => ({ status: 200, body: await getPercurso(deps, caller, query) }),
  }),
  defineRoute({
    method: 'post',
    path: `${PATH}/{id}/saida`,
    operacao: 'encerrarEstadia',
    erros: [409],
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Encerra à mão a estadia que começou com esta passagem',
    descricao: 'Para um veículo que saiu sem leitura da placa. Fica na auditoria.',
    params: z.object({ id: idLongoTexto }),
    respostas: { 200: estadiaSchema },
    handler: async ({ caller, params: { id } }) => ({ status: 200, body: await closeEstadia(deps, caller, id) }),
  }),
]
