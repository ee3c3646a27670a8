import { mascarasPutSchema, mascarasSchema } from '@vigia/contracts/mascaras'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeCamera } from './change-camera.ts'
import { requireCamera } from './require-camera.ts'
import { viewMascaras } from './view-mascaras.ts'

const params = z.object({ camera_id: idTexto })

export function mascarasRoutes(deps: DesiredDeps): Route[] {
  const show = async (caller: Caller, id: number) =>
    viewMascaras(deps.db, caller, await requireCamera(deps.db, caller, id))

  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/mascaras',
      operacao: 'verMascaras',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Máscaras de privacidade de uma câmera',
      params,
      respostas: { 200: mascarasSchema },
      handler: async ({ caller, params: { camera_id } }) => ({
        status: 200,
        body: await show(caller, camera_id),
      }),
    }),
    defineRoute({
      method: 'put',
      path: '/api/v1/cameras/{camera_id}/mascaras',
      operacao: 'definirMascaras',
      erros: [409],
      acesso: 'escrita',
      efeito: ['reveals', 'destroys'],
      resumo: 'Define as máscaras de privacidade de uma câmera',
      descricao:
        'A caixa cobre de cinza o que está dentro dos polígonos, antes da análise e de cada imagem. Ao vivo e ' +
        'clipes de uma câmera com máscara são cópias de no máximo 640 pixels. `situacao` diz se a caixa já aplica ' +
        'a máscara. `If-Match` vale como em `PATCH /cameras/{camera_id}`.',
      params,
      json: mascarasPutSchema,
      respostas: { 200: mascarasSchema },
      handler: async ({ caller, params: { camera_id }, json, request }) => {
        await changeCamera(deps, caller, camera_id, json, request.header('if-match') ?? null)
        return { status: 200, body: await show(caller, camera_id) }
      },
    }),
  ]
}
