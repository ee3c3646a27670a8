import {
  apagamentoCreateSchema,
  apagamentoSchema,
  contagemApagamentoQuerySchema,
  contagemApagamentoSchema,
} from '@vigia/contracts/apagamentos'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { requireWrite } from '../../../../http/caller.ts'
import { readPastPeriod } from '../../../../http/past-period.ts'
import { defineRoute, type Route } from '../../../../http/route.ts'
import { requireEmpresa } from '../../../../scope/require-empresa.ts'
import { countPeriod } from './count-period.ts'
import { type ApagamentoDeps, createApagamento } from './create-apagamento.ts'
import { listApagamentos } from './store.ts'
import { viewApagamento } from './view-apagamento.ts'

const PATH = '/api/v1/empresas/{empresa_id}/apagamentos'
const params = z.object({ empresa_id: idTexto })
const SHOWN = 20

interface Deps extends ApagamentoDeps {
  /** There is a new deletion. */
  readonly wake: () => void
}

export const apagamentosRoutes = ({ wake, ...deps }: Deps): Route[] => [
  defineRoute({
    method: 'get',
    path: `${PATH}/contagem`,
    operacao: 'contarApagamento',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Conta o que um apagamento por período apagaria, e o que ficaria',
    descricao:
      'Não apaga nada. Eventos preservados ficam, com o incidente e as passagens deles. Com `placa`: só o que tem ' +
      'esta placa.',
    params,
    query: contagemApagamentoQuerySchema,
    respostas: { 200: contagemApagamentoSchema },
    handler: async ({ caller, params: { empresa_id }, query, request }) => {
      requireWrite(caller)
      await requireEmpresa(deps.db, caller, empresa_id)
      const now = deps.clock.now()
      const periodo = readPastPeriod(empresa_id, query, { where: 'query', now })
      const alvo = { ...periodo, placa: query.placa ?? null }
      return { status: 200, body: await countPeriod(deps, caller, alvo, { now, signal: request.signal }) }
    },
  }),
  defineRoute({
    method: 'post',
    path: PATH,
    operacao: 'apagarPeriodo',
    acesso: 'escrita',
    efeito: 'destroys',
    erros: [409],
    resumo: 'Apaga os eventos, as passagens, as imagens, os clipes e as gravações de um período',
    descricao:
      'Sem volta, e só com os números da contagem. Apaga também os dados de treinamento e a cópia na caixa. ' +
      'Incidentes saem inteiros; os preservados ficam. Com `placa` saem só as passagens e os eventos de placa que a ' +
      'têm. `ficou` diz o que ficou e por quê. Acompanhe em `GET`. Fica na auditoria.',
    params,
    json: apagamentoCreateSchema,
    respostas: { 202: apagamentoSchema },
    handler: async ({ caller, params: { empresa_id }, json, request }) => {
      const body = await createApagamento(deps, caller, empresa_id, json, request.signal)
      wake()
      return { status: 202, body }
    },
  }),
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarApagamentos',
    acesso: 'escrita',
    efeito: null,
    resumo: `Os últimos ${SHOWN} apagamentos por período, com o andamento`,
    params,
    respostas: { 200: z.array(apagamentoSchema) },
    handler: async ({ caller, params: { empresa_id } }) => {
      requireWrite(caller)
      await requireEmpresa(deps.db, caller, empresa_id)
      const rows = await listApagamentos(deps.db, empresa_id, SHOWN)
      return { status: 200, body: rows.map(viewApagamento) }
    },
  }),
]
