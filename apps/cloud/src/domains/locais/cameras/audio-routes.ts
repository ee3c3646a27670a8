import { audioPutSchema, audioSchema } from '@vigia/contracts/audio'
import { VigiaError } from '@vigia/contracts/errors'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { requireWrite } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeCamera } from './change-camera.ts'
import { requireCamera } from './require-camera.ts'
import { refusalOf, viewAudio } from './view-audio.ts'

const params = z.object({ camera_id: idTexto })

export function audioRoutes(deps: DesiredDeps): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/audio',
      operacao: 'verAudio',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Som de uma câmera',
      params,
      respostas: { 200: audioSchema },
      handler: async ({ caller, params: { camera_id } }) => ({
        status: 200,
        body: viewAudio(await requireCamera(deps.db, caller, camera_id)),
      }),
    }),
    defineRoute({
      method: 'put',
      path: '/api/v1/cameras/{camera_id}/audio',
      operacao: 'definirAudio',
      erros: [409],
      acesso: 'escrita',
      efeito: ['reveals'],
      resumo: 'Liga ou desliga o som de uma câmera',
      descricao:
        'Desligado, que é o padrão, a caixa não pede o som à câmera. Ligado, ao vivo e clipes saem com som; a ' +
        'gravação contínua e o arquivo do gravador, não. O som grava conversas (LGPD): precisa de base legal e de ' +
        'aviso no local. A auditoria guarda quem ligou. 409 com a razão: câmera com máscara, ou caixa antiga. ' +
        '`If-Match` vale como em `PATCH /cameras/{camera_id}`.',
      params,
      json: audioPutSchema,
      respostas: { 200: audioSchema },
      handler: async ({ caller, params: { camera_id }, json, request }) => {
        requireWrite(caller)
        const refusal = json.ligado ? refusalOf(await requireCamera(deps.db, caller, camera_id)) : null
        if (refusal !== null) throw new VigiaError('conflito', { detalhe: refusal })
        const patch = { audio: json.ligado }
        await changeCamera(deps, caller, camera_id, patch, request.header('if-match') ?? null)
        return { status: 200, body: viewAudio(await requireCamera(deps.db, caller, camera_id)) }
      },
    }),
  ]
}
