import { portaTestadaSchema, testarConexaoSchema } from '@vigia/contracts/cameras'
import { LADO_MAXIMO, LADO_MINIMO } from '@vigia/contracts/pedidos'
import { idTexto, inteiroTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { callerKey } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { createSlots } from '../../../http/slots.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { captureFrame } from './capture-frame.ts'
import { restartCamera } from './restart-camera.ts'
import { testConnection } from './test-connection.ts'

/** Share of one login in the 32 concurrent commands of an edge; more than a browser requests at once. */
const SNAPSHOTS_PER_LOGIN = 8
const snapshots = () =>
  createSlots(SNAPSHOTS_PER_LOGIN, {
    detalhe: 'Este login já espera por imagens demais. Tente de novo quando elas chegarem.',
    tentarEmS: 1,
  })

/** Routes that send a command to an edge while the caller waits. */
export const probeRoutes = (deps: DesiredDeps & { readonly probing: Probing }, slots = snapshots()): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/cameras/testar-conexao',
    operacao: 'testarConexao',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Testa portas de um equipamento a partir da caixa',
    json: testarConexaoSchema,
    respostas: { 200: z.array(portaTestadaSchema) },
    handler: async ({ caller, json, request }) => ({
      status: 200,
      body: await testConnection(deps, caller, json, request.signal),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/cameras/{camera_id}/reiniciar',
    operacao: 'reiniciarCamera',
    erros: [503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Fecha o vídeo da câmera e abre de novo, na hora',
    params: z.object({ camera_id: idTexto }),
    respostas: { 204: null },
    handler: async ({ caller, params: { camera_id }, request }) => {
      await restartCamera(deps, caller, camera_id, request.signal)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/snapshot',
    operacao: 'verSnapshot',
    erros: [429, 503],
    acesso: 'sessao',
    efeito: null,
    resumo: 'Uma imagem do que a câmera mostra agora',
    params: z.object({ camera_id: idTexto }),
    query: z.object({
      lado: inteiroTexto(LADO_MINIMO, LADO_MAXIMO)
        .optional()
        .describe('Maior lado da imagem, em pixels; se não for dito, o que a câmera tem'),
    }),
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ caller, params: { camera_id }, query: { lado }, request }) => {
      const release = slots.take(callerKey(caller))
      try {
        const jpeg = await captureFrame(deps, caller, camera_id, lado, request.signal)
        const headers = { 'content-type': 'image/jpeg', 'cache-control': 'no-store' }
        return new Response(new Uint8Array(jpeg), { headers })
      } finally {
        release()
      }
    },
  }),
]
