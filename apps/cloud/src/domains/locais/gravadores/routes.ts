import { diagnosticoGravadorSchema } from '@vigia/contracts/diagnostico-gravador'
import {
  canalGravadorSchema,
  descobrirSchema,
  gravadorCreateSchema,
  gravadorPatchSchema,
  gravadorSchema,
  imagemCanalSchema,
  resultadoCanalSchema,
} from '@vigia/contracts/gravadores'
import { camposLista } from '@vigia/contracts/paginas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { callerKey } from '../../../http/caller.ts'
import { answerList } from '../../../http/list-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { createSlots } from '../../../http/slots.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { captureCanal } from './capture-canal.ts'
import { changeGravador, removeGravador } from './change-gravador.ts'
import { createGravador } from './create-gravador.ts'
import { diagnoseGravador } from './diagnose-gravador.ts'
import { discoverChannels } from './discover-canais.ts'
import { inspectCanais } from './inspect-canais.ts'
import { getGravador, listChannels, visibleGravadores } from './list-gravadores.ts'

const params = z.object({ gravador_id: idTexto })

/** A page requests two pictures at a time. */
const PICTURES_PER_LOGIN = 4
const pictureSlots = () =>
  createSlots(PICTURES_PER_LOGIN, {
    detalhe: 'Este login já espera por imagens demais. Tente de novo quando elas chegarem.',
    tentarEmS: 1,
  })

export const gravadoresRoutes = (
  deps: DesiredDeps & { readonly probing: Probing },
  slots = pictureSlots(),
): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/gravadores/descobrir',
    operacao: 'descobrirCanais',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Procura os canais de um gravador, sem guardar nada',
    json: descobrirSchema,
    respostas: { 200: z.array(resultadoCanalSchema) },
    handler: async ({ caller, json, request }) => ({
      status: 200,
      body: await discoverChannels(deps, caller, json, (inspection) =>
        inspectCanais(deps, caller, inspection, request),
      ),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/gravadores/imagem',
    operacao: 'verImagemCanal',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Uma imagem de um canal, antes de haver câmera; nada é guardado',
    json: imagemCanalSchema,
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ caller, json, request }) => {
      const release = slots.take(callerKey(caller))
      try {
        const jpeg = await captureCanal(deps, caller, json, request.signal)
        const headers = { 'content-type': 'image/jpeg', 'cache-control': 'no-store' }
        return new Response(new Uint8Array(jpeg), { headers })
      } finally {
        release()
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/gravadores',
    operacao: 'listarGravadores',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    erros: [429],
    efeito: null,
    resumo: 'Gravadores no escopo do login',
    query: z.object({ empresa_id: idTexto.optional(), ...camposLista }),
    respostas: { 200: z.array(gravadorSchema) },
    handler: async ({ caller, query }) =>
      await answerList(caller, query, await visibleGravadores(deps, caller, query.empresa_id)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/gravadores',
    operacao: 'criarGravador',
    erros: [409],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Cadastra um gravador sem câmeras',
    json: gravadorCreateSchema,
    respostas: { 201: gravadorSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await createGravador(deps, caller, json) }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/gravadores/{gravador_id}',
    operacao: 'verGravador',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Um gravador; a senha, só para administradores',
    params,
    respostas: { 200: gravadorSchema },
    handler: async ({ caller, params: { gravador_id } }) => ({
      status: 200,
      body: await getGravador(deps, caller, gravador_id),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/v1/gravadores/{gravador_id}',
    operacao: 'alterarGravador',
    erros: [409],
    acesso: 'escrita',
    efeito: ['reveals', 'destroys'],
    resumo: 'Muda os campos enviados de um gravador; endereço e senha valem para todas as suas câmeras',
    params,
    json: gravadorPatchSchema,
    respostas: { 200: gravadorSchema },
    handler: async ({ caller, params: { gravador_id }, json }) => ({
      status: 200,
      body: await changeGravador(deps, caller, gravador_id, json),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/gravadores/{gravador_id}',
    operacao: 'removerGravador',
    erros: [409],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Remove um gravador que não tem câmeras',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { gravador_id } }) => {
      await removeGravador(deps, caller, gravador_id)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/gravadores/{gravador_id}/canais',
    operacao: 'listarCanais',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Canais de um gravador, com a câmera de cada um',
    params,
    respostas: { 200: z.array(canalGravadorSchema) },
    handler: async ({ caller, params: { gravador_id } }) => ({
      status: 200,
      body: await listChannels(deps, caller, gravador_id),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/gravadores/{gravador_id}/diagnostico',
    operacao: 'diagnosticarGravador',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Faz cada chamada de leitura no gravador e diz o que ela quer dizer',
    descricao:
      'Pela caixa, com o endereço de uma câmera ativa dele. Leva até 100 s e não muda nada no gravador. O relatório ' +
      'não traz endereço, usuário, senha nem número de série.',
    params,
    respostas: { 200: diagnosticoGravadorSchema },
    handler: async ({ caller, params: { gravador_id }, request }) => ({
      status: 200,
      body: await diagnoseGravador(deps, caller, gravador_id, request.signal),
    }),
  }),
]
