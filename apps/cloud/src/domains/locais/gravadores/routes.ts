import {
  canalGravadorSchema,
  gravadorCreateSchema,
  gravadorPatchSchema,
  gravadorSchema,
} from '@vigia/contracts/gravadores'
import { camposLista } from '@vigia/contracts/paginas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { answerList } from '../../../http/list-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeGravador, removeGravador } from './change-gravador.ts'
import { createGravador } from './create-gravador.ts'
import { deviceRoutes } from './device-routes.ts'
import { getGravador, listChannels, visibleGravadores } from './list-gravadores.ts'

const params = z.object({ gravador_id: idTexto })

export const gravadoresRoutes = (deps: DesiredDeps & { readonly probing: Probing }): Route[] => [
  ...deviceRoutes(deps),
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
    efeito: ['grants'],
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
    efeito: ['reveals', 'grants', 'destroys'],
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
]
