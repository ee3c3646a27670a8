import {
  correcaoPassagemSchema,
  fotoPassagemQuerySchema,
  passagemSchema,
  passagensExportarQuerySchema,
  passagensQuerySchema,
} from '@vigia/contracts/passagens'
import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { csvAnswer } from '../../../http/csv.ts'
import { answerPage } from '../../../http/page-answer.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { closingOnFailure, streamBody } from '../../../http/stream-body.ts'
import { type CorrectionDeps, correctPassagem } from './correct-passagem.ts'
import { exportPassagens } from './export-passagens.ts'
import { getFoto, getPassagem, listPassagens } from './list-passagens.ts'

const PATH = '/api/v1/passagens'
const params = z.object({ id: idLongoTexto })

export const passagensRoutes = (deps: CorrectionDeps & { readonly log: Logger }): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    erros: [429],
    operacao: 'listarPassagens',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Lista as passagens de veículos, da mais nova à mais antiga',
    descricao: 'Placas são dados pessoais: cada busca por `placa` fica na auditoria.',
    query: passagensQuerySchema,
    respostas: { 200: z.array(passagemSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listPassagens(deps, caller, query)),
  }),
  // Before `{id}`, which matches every segment.
  defineRoute({
    method: 'get',
    path: `${PATH}/exportar`,
    erros: [429],
    operacao: 'exportarPassagens',
    cabecalhos: ['X-Total-Count'],
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Traz as passagens como CSV, da mais nova à mais antiga',
    descricao:
      'No máximo 50.000 linhas; `X-Total-Count` diz quantas o filtro encontra. Cada exportação fica na auditoria.',
    query: passagensExportarQuerySchema,
    respostas: { 200: { midia: 'text/csv' } },
    handler: async ({ caller, query, request }) => {
      const { csv, total } = await exportPassagens(deps, caller, query)
      const body = streamBody(csv, closingOnFailure(deps, request, 'passagens not exported'))
      return csvAnswer('passagens.csv', body, { 'x-total-count': String(total) })
    },
  }),
  defineRoute({
    method: 'get',
    path: `${PATH}/{id}`,
    operacao: 'verPassagem',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Mostra uma passagem',
    params,
    respostas: { 200: passagemSchema },
    handler: async ({ caller, params: { id } }) => ({ status: 200, body: await getPassagem(deps, caller, id) }),
  }),
  defineRoute({
    method: 'post',
    path: `${PATH}/{id}/correcao`,
    operacao: 'corrigirPassagem',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Corrige a placa de uma passagem',
    descricao:
      'As listas são consultadas de novo, e uma placa bloqueada gera um evento marcado com quem corrigiu. A foto da ' +
      'placa e o texto ficam guardados para treinar a leitura.',
    params,
    json: correcaoPassagemSchema,
    respostas: { 200: passagemSchema },
    handler: async ({ caller, params: { id }, json }) => ({
      status: 200,
      body: await correctPassagem(deps, caller, id, json),
    }),
  }),
  defineRoute({
    method: 'get',
    path: `${PATH}/{id}/foto`,
    operacao: 'verFotoPassagem',
    acesso: 'trabalho',
    efeito: null,
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
