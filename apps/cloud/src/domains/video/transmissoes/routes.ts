import { mensagemAoVivoSchema, prioridadeSchema } from '@vigia/contracts/ao-vivo'
import { VigiaError } from '@vigia/contracts/errors'
import { fluxoSchema } from '@vigia/contracts/transmissao'
import { idTexto, inteiroTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { CameraWithEdge } from '../../../db/cameras.ts'
import { type Caller, callerKey } from '../../../http/caller.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { createSlots } from '../../../http/slots.ts'
import { onlineCamera, requireCamera } from '../../locais/public.ts'
import { auditView } from './audit-view.ts'
import { hlsRoutes } from './hls-routes.ts'
import { type ReceiveDeps, receiveUpload } from './receive-upload.ts'
import { replicaRoutes } from './replica-routes.ts'
import { tokenOf } from './session-token.ts'
import { INGEST_PATH } from './stream-state.ts'
import { refusalMessages, type ViewDeps, viewMessages } from './view-messages.ts'

/** Largest number of simultaneous live views of one login: a wall of 64 tiles. */
const VIEWS_PER_LOGIN = 64

const viewQuery = z.object({
  fluxo: fluxoSchema.optional().describe('`principal` se não for dito. Sem fluxo secundário, vem o principal.'),
  prioridade: prioridadeSchema.optional().describe('`mosaico`: cede lugar às câmeras abertas quando o envio é pouco.'),
})

type Deps = ViewDeps & ReceiveDeps & { readonly log: Logger }

const camera = z.object({ camera_id: idTexto })

export function transmissoesRoutes(deps: Deps): Route[] {
  const { db, log } = deps
  const slots = createSlots(VIEWS_PER_LOGIN, {
    detalhe: 'Este login já vê câmeras demais ao vivo. Feche as que não usa.',
    tentarEmS: 30,
  })

  /** @throws VigiaError `nao_encontrado`: missing or out of scope; every other refusal is the first message */
  async function watch(caller: Caller, id: number, request: RequestInfo, asked: z.infer<typeof viewQuery>) {
    const row = await requireCamera(db, caller, id)
    const left = new AbortController()
    const messages = await admitted(caller, row, request, asked, left).catch((error: unknown) => {
      left.abort()
      if (error instanceof VigiaError) return refusalMessages(error)
      throw error
    })
    return {
      messages,
      finished: () => left.abort(),
      failed: (err: unknown) => log.error({ err, id: request.id }, 'live view ended'),
    }
  }

  /** @throws VigiaError `nao_encontrado`: not online, or hidden; `muitas_requisicoes` */
  async function admitted(
    caller: Caller,
    row: CameraWithEdge,
    request: RequestInfo,
    { fluxo = 'principal', prioridade = 'aberta' }: z.infer<typeof viewQuery>,
    left: AbortController,
  ) {
    const online = await onlineCamera(deps, caller, row.id)
    const release = slots.take(callerKey(caller))
    left.signal.addEventListener('abort', release, { once: true })
    await auditView(deps, caller, row)
    const watched = { ...online, hasSub: row.sub_rtsp_url !== null, isMasked: row.mascaras_json !== '[]' }
    const signal = AbortSignal.any([request.signal, left.signal])
    return viewMessages(deps, watched, { fluxo, prioridade, token: tokenOf(request) }, signal)
  }

  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/transmissao',
      operacao: 'assistirAoVivo',
      acesso: 'sessao',
      efeito: null,
      erros: [403, 404],
      resumo: 'O vídeo ao vivo de uma câmera (WebSocket)',
      descricao:
        'Textos JSON e, entre eles, bytes de MP4 fragmentado (CMAF) para MSE: depois de `inicio` vem o cabeçalho, ' +
        'depois dele as partes. `salto`: faltam partes, e a próxima começa por um quadro-chave. Um cliente lento ' +
        'perde partes; nada fica em fila. Sem vídeo agora, a primeira mensagem é `fim`, com o motivo. O cliente não ' +
        'manda nada (1008). 4401: a sessão acabou.',
      params: camera,
      query: viewQuery,
      respostas: { 101: { mensagens: mensagemAoVivoSchema }, 426: z.object({ detail: z.string() }) },
      handler: async ({ caller, params: { camera_id }, query, request }) => ({
        status: 101,
        feed: await watch(caller, camera_id, request, query),
      }),
    }),
    ...hlsRoutes(deps),
    defineRoute({
      method: 'get',
      path: `${INGEST_PATH}/{camera_id}/{fluxo}`,
      operacao: 'receberTransmissao',
      acesso: 'edge',
      efeito: null,
      erros: [429, 503],
      resumo: 'Envio do vídeo ao vivo por uma caixa (WebSocket)',
      descricao:
        'Um registro por mensagem (docs/live.md). 1008: uma mensagem inválida, ou registros rápidos demais. 4410: o ' +
        'envio terminou, e a caixa espera a próxima ordem.',
      params: camera.extend({ fluxo: fluxoSchema }),
      query: z.object({ epoca: inteiroTexto(1, 2_147_483_647) }),
      respostas: { 101: { recebe: 'application/octet-stream' }, 426: z.object({ detail: z.string() }) },
      handler: async ({ credential, params: { camera_id, fluxo }, query: { epoca }, request }) => ({
        status: 101,
        intake: await receiveUpload(deps, credential, { cameraId: camera_id, fluxo }, epoca, request),
      }),
    }),
    ...replicaRoutes(deps),
  ]
}
