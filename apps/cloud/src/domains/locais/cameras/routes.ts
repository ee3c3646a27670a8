import { agendaSchema } from '@vigia/contracts/agenda'
import { calibracaoViewSchema } from '@vigia/contracts/calibracao'
import {
  type Camera,
  cameraCreateSchema,
  cameraPatchSchema,
  cameraSchema,
  silenciarSchema,
} from '@vigia/contracts/cameras'
import { geometriaPatchSchema, geometriaSchema } from '@vigia/contracts/geometria'
import { camposLista } from '@vigia/contracts/paginas'
import { idTexto } from '@vigia/contracts/values'
import { mergeCalibration } from '@vigia/ias/calibration'
import { iasQueRompemSilencio } from '@vigia/ias/catalogue'
import { z } from 'zod'
import { countCameras, listCamerasAfter } from '../../../db/cameras.ts'
import type { Caller } from '../../../http/caller.ts'
import { answerList } from '../../../http/list-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { inspectCanais } from '../gravadores/inspect-canais.ts'
import { audioRoutes } from './audio-routes.ts'
import { changeCamera } from './change-camera.ts'
import { createCamera } from './create-camera.ts'
import { gravacaoContinuaRoutes } from './gravacao-continua-routes.ts'
import { learningRoutes } from './learning-routes.ts'
import { mascarasRoutes } from './mascaras-routes.ts'
import { probeRoutes } from './probe-routes.ts'
import { provaRoutes } from './prova-routes.ts'
import { ptzRoutes } from './ptz-routes.ts'
import { removeCamera } from './remove-camera.ts'
import { requireCamera } from './require-camera.ts'
import { silenceCamera } from './silence-camera.ts'
import { countActiveCameras } from './store.ts'
import { viewCamera } from './view-camera.ts'

const params = z.object({ camera_id: idTexto })
const query = z.object({ empresa_id: idTexto.optional() })

export function camerasRoutes(deps: DesiredDeps & { readonly probing: Probing }): Route[] {
  const read = async (caller: Caller, id: number): Promise<Camera> =>
    viewCamera(await requireCamera(deps.db, caller, id), deps.clock.now())

  return [
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
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras',
      operacao: 'listarCameras',
      cabecalhos: ['X-Total-Count', 'Link'],
      acesso: 'sessao',
      erros: [429],
      efeito: null,
      resumo: 'Câmeras no escopo do login',
      query: query.extend(camposLista),
      respostas: { 200: z.array(cameraSchema) },
      handler: async ({ caller, query }) => {
        const empresas = await narrowScope(deps.db, caller, query.empresa_id)
        const now = deps.clock.now()
        return await answerList(caller, query, {
          path: '/api/v1/cameras',
          count: () => countCameras(deps.db, empresas),
          read: (after, limit) => listCamerasAfter(deps.db, empresas, after, limit),
          view: (row) => viewCamera(row, now),
        })
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}',
      operacao: 'verCamera',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Uma câmera com todos os seus campos',
      params,
      respostas: { 200: cameraSchema },
      handler: async ({ caller, params: { camera_id } }) => ({ status: 200, body: await read(caller, camera_id) }),
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
    defineRoute({
      method: 'post',
      path: '/api/v1/cameras/{camera_id}/silenciar',
      operacao: 'silenciarCamera',
      acesso: 'trabalho',
      efeito: null,
      resumo: 'Silencia uma câmera por até 60 minutos',
      descricao:
        'Sem som e sem avisos dela até a hora de `silencio.ate`, exceto `gravidade` `critica` e ' +
        `${iasQueRompemSilencio.join(', ')}. ` +
        'Os incidentes continuam na fila, marcados. 0 encerra o silêncio.',
      params,
      json: silenciarSchema,
      respostas: { 200: cameraSchema },
      handler: async ({ caller, params: { camera_id }, json }) => ({
        status: 200,
        body: await silenceCamera(deps, caller, camera_id, json),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/calibracao',
      operacao: 'verCalibracao',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Calibração salva e a que está em vigor',
      params,
      respostas: { 200: calibracaoViewSchema },
      handler: async ({ caller, params: { camera_id } }) => {
        const { config_ia } = await read(caller, camera_id)
        return { status: 200, body: { salva: config_ia, efetiva: mergeCalibration(config_ia) } }
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/geometria',
      operacao: 'verGeometria',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Zonas e linha de uma câmera',
      params,
      respostas: { 200: geometriaSchema },
      handler: async ({ caller, params: { camera_id } }) => {
        const { zonas, nomes_zonas, linha } = await read(caller, camera_id)
        return { status: 200, body: { zonas, nomes_zonas, linha } }
      },
    }),
    defineRoute({
      method: 'patch',
      path: '/api/v1/cameras/{camera_id}/geometria',
      operacao: 'alterarGeometria',
      erros: [409],
      acesso: 'escrita',
      efeito: null,
      resumo: 'Muda zonas, nomes de zonas e linha de uma câmera',
      descricao:
        'Como `PATCH /cameras/{camera_id}`, com os nomes das zonas. Zonas sem `nomes_zonas`: cada polígono que fica ' +
        'mantém o seu nome. `If-Match` vale como lá.',
      params,
      json: geometriaPatchSchema,
      respostas: { 200: cameraSchema },
      handler: async ({ caller, params: { camera_id }, json, request }) => ({
        status: 200,
        body: await changeCamera(deps, caller, camera_id, json, request.header('if-match') ?? null),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/agenda',
      operacao: 'verAgenda',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Agenda de uma câmera',
      params,
      respostas: { 200: agendaSchema },
      handler: async ({ caller, params: { camera_id } }) => ({
        status: 200,
        body: (await read(caller, camera_id)).agenda,
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras-count',
      operacao: 'contarCameras',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Quantidade de câmeras ativas no escopo',
      query,
      respostas: { 200: z.object({ count: z.int() }) },
      handler: async ({ caller, query }) => {
        const empresas = await narrowScope(deps.db, caller, query.empresa_id)
        return { status: 200, body: { count: await countActiveCameras(deps.db, empresas) } }
      },
    }),
    ...mascarasRoutes(deps),
    ...gravacaoContinuaRoutes(deps),
    ...audioRoutes(deps),
    ...probeRoutes(deps),
    ...provaRoutes(deps),
    ...ptzRoutes(deps),
    ...learningRoutes(deps),
  ]
}
