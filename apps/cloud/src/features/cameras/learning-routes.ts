import { sugestaoQuerySchema, sugestaoSchema } from '@vigia/contracts/sugestoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { suggestCalibracao } from './suggest-calibracao.ts'

const params = z.object({ camera_id: idTexto })

/** Routes about the reviews of a camera's events. */
export const learningRoutes = (deps: { readonly db: Database; readonly clock: Clock }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/sugestao-calibracao',
    operacao: 'sugerirCalibracao',
    acesso: 'escrita',
    resumo: 'Sugere a confiança mínima de uma IA a partir das revisões',
    descricao: 'Nada muda: quem quiser a sugestão grava o valor na calibração da câmera.',
    params,
    query: sugestaoQuerySchema,
    respostas: { 200: sugestaoSchema },
    handler: async ({ caller, params: { camera_id }, query }) => ({
      status: 200,
      body: await suggestCalibracao(deps, caller, camera_id, query),
    }),
  }),
]
