import {
  contagemRetencaoSchema,
  preservacaoSchema,
  preservarSchema,
  retencaoPatchSchema,
  retencaoSchema,
} from '@vigia/contracts/retencao'
import { idLongoTexto, idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { requireScope, requireWrite } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { changeRetencao } from './change-retencao.ts'
import { countRetencao } from './count-retencao.ts'
import { preserveEvento, releaseEvento } from './preserve-evento.ts'
import { type RetencaoDeps, viewRetencao } from './view-retencao.ts'

const PATH = '/api/v1/empresas/{empresa_id}/retencao'
const params = z.object({ empresa_id: idTexto })
const HOLD_PATH = '/api/v1/events/{event_id}/preservar'
const eventParams = z.object({ event_id: idLongoTexto })

export const retencaoRoutes = (deps: RetencaoDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'verRetencao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Por quanto tempo uma Empresa guarda cada coisa, quanto ocupa, e o que saiu por último',
    descricao: 'Só para quem administra.',
    params,
    respostas: { 200: retencaoSchema },
    handler: async ({ caller, params: { empresa_id } }) => {
      requireWrite(caller)
      requireScope(caller, empresa_id)
      await requireEmpresa(deps.db, caller, empresa_id)
      return { status: 200, body: await viewRetencao(deps, empresa_id) }
    },
  }),
  defineRoute({
    method: 'patch',
    path: PATH,
    operacao: 'alterarRetencao',
    acesso: 'escrita',
    efeito: ['destroys'],
    resumo: 'Muda por quanto tempo e até que tamanho uma Empresa guarda cada coisa',
    descricao:
      'Vale da próxima varredura em diante, em até 6 horas. Empresas abaixo sem valor próprio usam o desta. ' +
      'Imagens e clipes saem no mais tardar com os seus eventos; incidentes sem resposta ficam até o dobro do prazo.',
    params,
    json: retencaoPatchSchema,
    respostas: { 200: retencaoSchema },
    handler: async ({ caller, params: { empresa_id }, json }) => ({
      status: 200,
      body: await changeRetencao(deps, caller, empresa_id, json),
    }),
  }),
  defineRoute({
    method: 'post',
    path: `${PATH}/contagem`,
    operacao: 'contarRetencao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Conta o que a próxima varredura apagaria com uma mudança dos prazos',
    descricao: 'Não muda nada. O corpo é o da mudança. Conta esta Empresa, sem as de baixo.',
    params,
    json: retencaoPatchSchema,
    respostas: { 200: contagemRetencaoSchema },
    handler: async ({ caller, params: { empresa_id }, json, request }) => ({
      status: 200,
      body: await countRetencao(deps, caller, empresa_id, json, request.signal),
    }),
  }),
  defineRoute({
    method: 'post',
    path: HOLD_PATH,
    operacao: 'preservarEvento',
    acesso: 'escrita',
    efeito: ['destroys'],
    resumo: 'Preserva um evento com o incidente, as imagens e o clipe, até uma data',
    descricao: 'Nem o prazo nem o limite de tamanho apagam um evento preservado.',
    params: eventParams,
    json: preservarSchema,
    respostas: { 200: preservacaoSchema },
    handler: async ({ caller, params: { event_id }, json }) => ({
      status: 200,
      body: await preserveEvento(deps, caller, event_id, json),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: HOLD_PATH,
    operacao: 'liberarEvento',
    acesso: 'escrita',
    efeito: 'destroys',
    resumo: 'Deixa de preservar um evento',
    params: eventParams,
    respostas: { 204: null },
    handler: async ({ caller, params: { event_id } }) => {
      await releaseEvento(deps, caller, event_id)
      return { status: 204 }
    },
  }),
]
