import { portaTestadaSchema, testarConexaoSchema } from '@vigia/contracts/cameras'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../http/route.ts'
import { captureFrame } from './capture-frame.ts'
import type { CamerasDeps } from './deps.ts'
import type { Probing } from './probing.ts'
import { testConnection } from './test-connection.ts'

/** What an edge is asked for while the caller waits. */
export const probeRoutes = (deps: CamerasDeps & { readonly probing: Probing }): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/cameras/testar-conexao',
    operacao: 'testarConexao',
    erros: [429, 503],
    acesso: 'escrita',
    resumo: 'Testa portas de um equipamento a partir do edge',
    json: testarConexaoSchema,
    respostas: { 200: z.array(portaTestadaSchema) },
    handler: async ({ caller, json, request }) => ({
      status: 200,
      body: await testConnection(deps, caller, json, request.signal),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/snapshot',
    operacao: 'verSnapshot',
    erros: [503],
    acesso: 'sessao',
    resumo: 'Uma imagem do que a câmera mostra agora',
    params: z.object({ camera_id: idTexto }),
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ caller, params: { camera_id }, request }) => {
      const jpeg = await captureFrame(deps, caller, camera_id, request.signal)
      return new Response(new Uint8Array(jpeg), {
        headers: { 'content-type': 'image/jpeg', 'cache-control': 'no-store' },
      })
    },
  }),
]
