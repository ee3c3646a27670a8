import { cameraSchema } from '@vigia/contracts/cameras'
import { camposLista } from '@vigia/contracts/paginas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import { countCameras, listCamerasAfter } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import { answerList } from '../../../http/list-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { countActiveCameras } from './store.ts'
import { viewCamera } from './view-camera.ts'

interface ListDeps {
  readonly db: Database
  readonly clock: Clock
}

const query = z.object({ empresa_id: idTexto.optional() })

/** The cameras in scope: their list, and the number of active ones. */
export const listRoutes = (deps: ListDeps): Route[] => [
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
]
