import { cameraSchema, silenciarSchema } from '@vigia/contracts/cameras'
import { idTexto } from '@vigia/contracts/values'
import { iasQueRompemSilencio } from '@vigia/ias/catalogue'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { silenceCamera } from './silence-camera.ts'

const params = z.object({ camera_id: idTexto })

/** The silence of a camera. */
export const silencioRoutes = (deps: DesiredDeps): Route[] => [
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
]
