import { agendaSchema } from '@vigia/contracts/agenda'
import { calibracaoViewSchema } from '@vigia/contracts/calibracao'
import { cameraSchema } from '@vigia/contracts/cameras'
import { geometriaPatchSchema, geometriaSchema } from '@vigia/contracts/geometria'
import { idTexto } from '@vigia/contracts/values'
import { mergeCalibration } from '@vigia/ias/calibration'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeCamera } from './change-camera.ts'
import { getCamera } from './get-camera.ts'

const params = z.object({ camera_id: idTexto })

/** The settings of the analysis of a camera: calibration, zones and line, schedule. */
export const analiseRoutes = (deps: DesiredDeps): Route[] => [
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
      const { config_ia } = await getCamera(deps, caller, camera_id)
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
      const { zonas, nomes_zonas, linha, imagem_inteira } = await getCamera(deps, caller, camera_id)
      return { status: 200, body: { zonas, nomes_zonas, linha, imagem_inteira } }
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
      body: (await getCamera(deps, caller, camera_id)).agenda,
    }),
  }),
]
