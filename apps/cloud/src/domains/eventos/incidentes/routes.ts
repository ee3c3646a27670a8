import {
  assumirSchema,
  atendimentoCreateSchema,
  incidenteDetalheSchema,
  incidenteSchema,
  incidentesQuerySchema,
} from '@vigia/contracts/incidentes'
import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { cursorPage } from '../../../http/page-headers.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type AnswerDeps, answerIncidente } from './answer-incidente.ts'
import { getIncidente } from './get-incidente.ts'
import { listVisibleIncidentes } from './list-incidentes.ts'
import { takeIncidente } from './take-incidente.ts'

const params = z.object({ incidente_id: idLongoTexto })
const PATH = '/api/v1/incidentes'

export const incidentesRoutes = (deps: AnswerDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarIncidentes',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    efeito: null,
    resumo: 'Lista os incidentes, do mais novo ao mais antigo',
    descricao: '`atendido=false` é a fila: o que ninguém respondeu e a verificação não refutou.',
    query: incidentesQuerySchema,
    respostas: { 200: z.array(incidenteSchema) },
    handler: async ({ caller, query }) => {
      const { incidentes, total, proximo } = await listVisibleIncidentes(deps, caller, query)
      return { status: 200, body: incidentes, headers: cursorPage(PATH, query, total, proximo) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/incidentes/{incidente_id}',
    operacao: 'verIncidente',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra um incidente com seus eventos e todas as respostas',
    params,
    respostas: { 200: incidenteDetalheSchema },
    handler: async ({ caller, params: { incidente_id } }) => ({
      status: 200,
      body: await getIncidente(deps, caller, incidente_id),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/incidentes/{incidente_id}/atendimento',
    operacao: 'atenderIncidente',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Registra a resposta de uma pessoa a um incidente',
    descricao:
      'A última resposta vale; todas ficam. A de um `administrador` é também a revisão dos eventos da IA da capa que ' +
      'ainda não têm uma: `verdadeiro` → `confirmado`, `falso` → `refutado`, `nao_sei` → nenhuma.',
    erros: [409],
    params,
    json: atendimentoCreateSchema,
    respostas: { 200: incidenteSchema },
    handler: async ({ caller, params: { incidente_id }, json }) => ({
      status: 200,
      body: await answerIncidente(deps, caller, incidente_id, json),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/incidentes/{incidente_id}/assumir',
    operacao: 'assumirIncidente',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Diz quem cuida de um incidente sem resposta, também no lugar de outra pessoa',
    erros: [409],
    params,
    json: assumirSchema,
    respostas: { 200: incidenteSchema },
    handler: async ({ caller, params: { incidente_id }, json: { assumido } }) => ({
      status: 200,
      body: await takeIncidente(deps, caller, incidente_id, assumido),
    }),
  }),
]
