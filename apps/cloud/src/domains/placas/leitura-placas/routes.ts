import { leituraPlacasSchema, PASSAGENS_LEITURA } from '@vigia/contracts/leitura-placas'
import { qualidadePlacaSchema } from '@vigia/contracts/registro-passagem'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { requireWork } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { requireCamera } from '../../locais/public.ts'
import { advise } from './advise.ts'
import { newestPlates } from './store.ts'

export const leituraPlacasRoutes = ({ db }: { readonly db: Database }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/leitura-placas',
    operacao: 'verLeituraPlacas',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Mostra como uma câmera lê placas, e o que mudar nela',
    params: z.object({ camera_id: idTexto }),
    respostas: { 200: leituraPlacasSchema },
    handler: async ({ caller, params: { camera_id } }) => {
      requireWork(caller)
      await requireCamera(db, caller, camera_id)
      const rows = await newestPlates(db, camera_id, PASSAGENS_LEITURA)
      const seen = rows.map(({ placa, qualidade_json }) => ({
        isRead: placa !== null,
        qualidade: qualidade_json === null ? null : qualidadePlacaSchema.parse(JSON.parse(qualidade_json)),
      }))
      return { status: 200, body: advise(seen) }
    },
  }),
]
