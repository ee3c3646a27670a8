import { ajusteSchema } from '@vigia/contracts/ajustes'
import { sugestaoQuerySchema, sugestaoSchema } from '@vigia/contracts/sugestoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { listVisibleAjustes, resetVisibleAjuste } from './ajustes.ts'
import { suggestCalibracao } from './suggest-calibracao.ts'

const params = z.object({ camera_id: idTexto })

/** Routes about the reviews of a camera's events. */
export const learningRoutes = (deps: { readonly db: Database; readonly clock: Clock }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/sugestao-calibracao',
    operacao: 'sugerirCalibracao',
    acesso: 'escrita',
    efeito: null,
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
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/ajustes',
    operacao: 'listarAjustes',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra quanto as revisões mudam a certeza da verificação de uma câmera, e por quê',
    params,
    respostas: { 200: z.array(ajusteSchema) },
    handler: async ({ caller, params: { camera_id } }) => ({
      status: 200,
      body: await listVisibleAjustes(deps, caller, camera_id),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/cameras/{camera_id}/ajuste/{ia}',
    operacao: 'zerarAjuste',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Zera o ajuste de uma IA: só contam as revisões feitas depois',
    params: params.extend({ ia: z.string().max(64).describe('Nome da IA.') }),
    respostas: { 204: null },
    handler: async ({ caller, params: { camera_id, ia } }) => {
      await resetVisibleAjuste(deps, caller, camera_id, ia)
      return { status: 204 }
    },
  }),
]
