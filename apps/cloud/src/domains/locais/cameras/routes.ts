import { cameraCreateSchema, cameraPatchSchema, cameraSchema } from '@vigia/contracts/cameras'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { Probing } from '../edges/ask/probing.ts'
import { inspectCanais } from '../gravadores/inspect-canais.ts'
import { analiseRoutes } from './analise-routes.ts'
import { audioRoutes } from './audio-routes.ts'
import { changeCamera } from './change-camera.ts'
import { createCamera } from './create-camera.ts'
import { getCamera } from './get-camera.ts'
import { gravacaoContinuaRoutes } from './gravacao-continua-routes.ts'
import { horariosRoutes } from './horarios-routes.ts'
import { learningRoutes } from './learning-routes.ts'
import { listRoutes } from './list-routes.ts'
import { mascarasRoutes } from './mascaras-routes.ts'
import { probeRoutes } from './probe-routes.ts'
import { provaRoutes } from './prova-routes.ts'
import { ptzRoutes } from './ptz-routes.ts'
import { removeCamera } from './remove-camera.ts'
import { silencioRoutes } from './silencio-routes.ts'
import { transporteRoutes } from './transporte-routes.ts'

const params = z.object({ camera_id: idTexto })

export const camerasRoutes = (deps: Parameters<typeof removeCamera>[0] & { readonly probing: Probing }): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/cameras',
    operacao: 'criarCamera',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: ['reveals'],
    resumo: 'Cadastra uma câmera',
    json: cameraCreateSchema,
    respostas: { 201: cameraSchema },
    handler: async ({ caller, json, request }) => ({
      status: 201,
      body: await createCamera(deps, caller, json, (inspection) => inspectCanais(deps, caller, inspection, request)),
    }),
  }),
  ...listRoutes(deps),
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}',
    operacao: 'verCamera',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Uma câmera com todos os seus campos',
    params,
    respostas: { 200: cameraSchema },
    handler: async ({ caller, params: { camera_id } }) => ({
      status: 200,
      body: await getCamera(deps, caller, camera_id),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/v1/cameras/{camera_id}',
    operacao: 'alterarCamera',
    erros: [409],
    acesso: 'escrita',
    efeito: ['reveals', 'grants', 'destroys'],
    resumo: 'Muda os campos enviados de uma câmera',
    descricao:
      'Com o cabeçalho `If-Match: "<atualizada_em>"` (como a câmera foi lida), a mudança é recusada com 409 se ' +
      'outra pessoa mudou a câmera depois disso. Sem ele, vale a última mudança de cada campo.',
    params,
    json: cameraPatchSchema,
    respostas: { 200: cameraSchema },
    handler: async ({ caller, params: { camera_id }, json, request }) => ({
      status: 200,
      body: await changeCamera(deps, caller, camera_id, json, request.header('if-match') ?? null),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/cameras/{camera_id}',
    operacao: 'removerCamera',
    acesso: 'escrita',
    efeito: 'destroys',
    resumo: 'Remove uma câmera; seus eventos ficam',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { camera_id } }) => {
      await removeCamera(deps, caller, camera_id)
      return { status: 204 }
    },
  }),
  ...silencioRoutes(deps),
  ...analiseRoutes(deps),
  ...horariosRoutes(deps),
  ...mascarasRoutes(deps),
  ...gravacaoContinuaRoutes(deps),
  ...audioRoutes(deps),
  ...transporteRoutes(deps),
  ...probeRoutes(deps),
  ...provaRoutes(deps),
  ...ptzRoutes(deps),
  ...learningRoutes(deps),
]
