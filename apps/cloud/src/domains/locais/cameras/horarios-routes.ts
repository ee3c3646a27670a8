import { feriadosSchema, horariosSchema } from '@vigia/contracts/horarios'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeCamera } from './change-camera.ts'
import { getCamera } from './get-camera.ts'
import { getFeriados, putFeriados } from './put-feriados.ts'

const params = z.object({ camera_id: idTexto })
const ofEmpresa = z.object({ empresa_id: idTexto })

/** Armed hours of a camera, and the holidays of its Empresa. */
export const horariosRoutes = (deps: DesiredDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/horarios',
    operacao: 'verHorarios',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Horários de cada IA de uma câmera',
    params,
    respostas: { 200: horariosSchema },
    handler: async ({ caller, params: { camera_id } }) => ({
      status: 200,
      body: (await getCamera(deps, caller, camera_id)).horarios,
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/api/v1/cameras/{camera_id}/horarios',
    operacao: 'definirHorarios',
    erros: [409],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Define os horários de cada IA de uma câmera',
    descricao:
      'Substitui todos: uma IA sem janelas fica sempre armada. Uma caixa de versão anterior segue a janela que ' +
      '`agenda` mostra, a menor que contém todas, e não conhece feriados. `If-Match` vale como em ' +
      '`PATCH /cameras/{camera_id}`.',
    params,
    json: horariosSchema,
    respostas: { 200: horariosSchema },
    handler: async ({ caller, params: { camera_id }, json: horarios, request }) => {
      const ifMatch = request.header('if-match') ?? null
      return { status: 200, body: (await changeCamera(deps, caller, camera_id, { horarios }, ifMatch)).horarios }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas/{empresa_id}/feriados',
    operacao: 'verFeriados',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Listas de feriados de uma Empresa',
    params: ofEmpresa,
    respostas: { 200: feriadosSchema },
    handler: async ({ caller, params: { empresa_id } }) => ({
      status: 200,
      body: { listas: await getFeriados(deps.db, caller, empresa_id) },
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/api/v1/empresas/{empresa_id}/feriados',
    operacao: 'definirFeriados',
    erros: [409],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Define as listas de feriados de uma Empresa',
    descricao: 'Substitui todas. Uma lista que uma câmera usa não pode sair nem mudar de nome.',
    params: ofEmpresa,
    json: feriadosSchema,
    respostas: { 200: feriadosSchema },
    handler: async ({ caller, params: { empresa_id }, json: { listas } }) => ({
      status: 200,
      body: { listas: await putFeriados(deps, caller, empresa_id, listas) },
    }),
  }),
]
