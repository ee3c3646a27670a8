import { movimentoPtzSchema, presetSchema, ptzSchema } from '@vigia/contracts/ptz'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { getPtz, listPresets, moveCamera } from './move-camera.ts'

const params = z.object({ camera_id: idTexto })

/** Routes that move a PTZ camera. */
export const ptzRoutes = (deps: DesiredDeps & { readonly probing: Probing }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/ptz',
    operacao: 'verPtz',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Se a câmera se move, quem a move e se está fora da posição inicial',
    params,
    respostas: { 200: ptzSchema },
    handler: async ({ caller, params: { camera_id } }) => ({
      status: 200,
      body: await getPtz(deps, caller, camera_id),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/cameras/{camera_id}/ptz',
    operacao: 'moverCamera',
    acesso: 'trabalho',
    efeito: 'so_login',
    erros: [409, 503],
    resumo: 'Move uma câmera PTZ por ONVIF',
    descricao:
      'Uma pessoa por vez: quem moveu tem a vez por 15 s depois de cada ação; os outros recebem 409 com o nome dela. ' +
      'Fora da posição inicial, as IAs que dependem dela esperam a volta (`base`). `definir_base` é do administrador.',
    params,
    json: movimentoPtzSchema,
    respostas: { 200: ptzSchema },
    handler: async ({ caller, params: { camera_id }, json, request }) => ({
      status: 200,
      body: await moveCamera(deps, caller, camera_id, json, request.signal),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/ptz/presets',
    operacao: 'listarPresets',
    acesso: 'trabalho',
    efeito: null,
    erros: [409, 503],
    resumo: 'Posições guardadas em uma câmera PTZ',
    params,
    respostas: { 200: z.array(presetSchema) },
    handler: async ({ caller, params: { camera_id }, request }) => ({
      status: 200,
      body: await listPresets(deps, caller, camera_id, request.signal),
    }),
  }),
]
