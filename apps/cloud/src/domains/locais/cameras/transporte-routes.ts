import { transporteCameraSchema, transportePutSchema } from '@vigia/contracts/transporte'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { requireWrite } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeCamera } from './change-camera.ts'
import { requireCamera } from './require-camera.ts'
import { viewTransporte } from './view-transporte.ts'

const params = z.object({ camera_id: idTexto })

export function transporteRoutes(deps: DesiredDeps): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/transporte',
      operacao: 'verTransporte',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Transporte do vídeo de uma câmera',
      params,
      respostas: { 200: transporteCameraSchema },
      handler: async ({ caller, params: { camera_id } }) => ({
        status: 200,
        body: viewTransporte(await requireCamera(deps.db, caller, camera_id)),
      }),
    }),
    defineRoute({
      method: 'put',
      path: '/api/v1/cameras/{camera_id}/transporte',
      operacao: 'definirTransporte',
      acesso: 'escrita',
      efeito: null,
      resumo: 'Escolhe o transporte do vídeo de uma câmera',
      descricao:
        'Automático, que é o padrão: TCP, e UDP se o equipamento não aceita TCP ou não manda nada por ele. A câmera ' +
        'conecta outra vez. Um endereço `rtsps` vai sempre por TCP. `If-Match` vale como em ' +
        '`PATCH /cameras/{camera_id}`.',
      params,
      json: transportePutSchema,
      respostas: { 200: transporteCameraSchema },
      handler: async ({ caller, params: { camera_id }, json, request }) => {
        requireWrite(caller)
        await changeCamera(deps, caller, camera_id, json, request.header('if-match') ?? null)
        return { status: 200, body: viewTransporte(await requireCamera(deps.db, caller, camera_id)) }
      },
    }),
  ]
}
