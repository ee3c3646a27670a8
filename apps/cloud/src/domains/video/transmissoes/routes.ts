import { enderecosHlsSchema, mensagemAoVivoSchema, type Prioridade, prioridadeSchema } from '@vigia/contracts/ao-vivo'
import { VigiaError } from '@vigia/contracts/errors'
import { fluxoSchema } from '@vigia/contracts/transmissao'
import { idTexto, inteiroTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { type Caller, callerKey } from '../../../http/caller.ts'
import type { Feed } from '../../../http/push-messages.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { createSlots } from '../../../http/slots.ts'
import { requireMaskedView } from '../../../scope/unmasked.ts'
import { onlineCamera, requireCamera } from '../../locais/public.ts'
import { answerHls } from './answer-hls.ts'
import { auditView } from './audit-view.ts'
import { signHls } from './hls-link.ts'
import { createHlsStreams } from './hls-streams.ts'
import { mensagemDonoSchema, ownerFeed } from './owner-feed.ts'
import { type ReceiveDeps, receiveUpload } from './receive-upload.ts'
import { isReplicaToken } from './replica-token.ts'
import type { StreamKey } from './store.ts'
import { INGEST_PATH, REPLICA_PATH } from './stream-state.ts'
import { type ViewDeps, viewMessages } from './view-messages.ts'

/** Largest number of simultaneous live views of one login: a wall of 64 tiles. */
const VIEWS_PER_LOGIN = 64

const viewQuery = z.object({
  fluxo: fluxoSchema.optional().describe('`principal` se não for dito. Sem fluxo secundário, vem o principal.'),
  prioridade: prioridadeSchema.optional().describe('`mosaico`: cede lugar às câmeras abertas quando o envio é pouco.'),
})

type Deps = ViewDeps & ReceiveDeps & { readonly log: Logger }

const camera = z.object({ camera_id: idTexto })

function tokenOf({ token }: RequestInfo): string {
  if (token === null) throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar.' })
  return token
}

export function transmissoesRoutes(deps: Deps): Route[] {
  const { db, streams, box, log } = deps
  const hls = createHlsStreams(streams)
  const slots = createSlots(VIEWS_PER_LOGIN, {
    detalhe: 'Este login já vê câmeras demais ao vivo. Feche as que não usa.',
    tentarEmS: 30,
  })

  async function watch(caller: Caller, id: number, request: RequestInfo, asked: z.infer<typeof viewQuery>) {
    const token = tokenOf(request)
    const online = await onlineCamera(deps, caller, id)
    const row = await requireCamera(db, caller, id)
    const release = slots.take(callerKey(caller))
    const left = new AbortController()
    left.signal.addEventListener('abort', release, { once: true })
    await auditView(deps, caller, row).catch((error: unknown) => {
      left.abort()
      throw error
    })
    const { fluxo = 'principal', prioridade = 'aberta' } = asked
    const watched = { ...online, hasSub: row.sub_rtsp_url !== null, isMasked: row.mascaras_json !== '[]' }
    const signal = AbortSignal.any([request.signal, left.signal])
    return {
      messages: viewMessages(deps, watched, { fluxo, prioridade, token }, signal),
      finished: () => left.abort(),
      failed: (err: unknown) => log.error({ err, id: request.id }, 'live view ended'),
    }
  }

  function feedReplica(key: StreamKey, epoca: number, prioridade: Prioridade, request: RequestInfo): Feed {
    const token = /^bearer (\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? ''
    const grant = { uso: 'ler', camera: key.cameraId, fluxo: key.fluxo, epoca, para: streams.replica } as const
    if (!isReplicaToken(box, token, grant, deps.clock.now()))
      throw new VigiaError('nao_autenticado', { detalhe: 'Este endereço é só para os servidores da instalação.' })
    const seat = streams.join(key, epoca, prioridade)
    if (!seat) throw new VigiaError('nao_encontrado', { detalhe: 'Este servidor não recebe mais este vídeo.' })
    return {
      messages: ownerFeed(seat, request.signal),
      finished: seat.leave,
      failed: (err: unknown) => log.error({ err, id: request.id }, 'live stream for a replica ended'),
    }
  }

  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/transmissao',
      operacao: 'assistirAoVivo',
      acesso: 'sessao',
      efeito: null,
      erros: [403, 404, 429],
      resumo: 'O vídeo ao vivo de uma câmera (WebSocket)',
      descricao:
        'Textos JSON e, entre eles, bytes de MP4 fragmentado (CMAF) para MSE: depois de `inicio` vem o cabeçalho, ' +
        'depois dele as partes. `salto`: faltam partes, e a próxima começa por um quadro-chave. Um cliente lento ' +
        'perde partes; nada fica em fila. O cliente não manda nada (1008). 4401: a sessão acabou.',
      params: camera,
      query: viewQuery,
      respostas: { 101: { mensagens: mensagemAoVivoSchema }, 426: z.object({ detail: z.string() }) },
      handler: async ({ caller, params: { camera_id }, query, request }) => ({
        status: 101,
        feed: await watch(caller, camera_id, request, query),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/hls_url',
      operacao: 'enderecosHls',
      acesso: 'sessao',
      efeito: null,
      erros: [404],
      resumo: 'Endereços HLS do vídeo ao vivo de uma câmera',
      descricao:
        'Um tocador de HLS abre o endereço sem cabeçalhos. O endereço abre só este vídeo, continua depois de a ' +
        'sessão ser renovada e deixa de valer quando ela acaba.',
      params: camera,
      respostas: { 200: enderecosHlsSchema },
      handler: async ({ caller, params: { camera_id }, request }) => {
        const row = await requireCamera(db, caller, camera_id)
        requireMaskedView(caller, row)
        const urlOf = (fluxo: 'principal' | 'secundario') => signHls(box, tokenOf(request), row.id, fluxo)
        const sub = row.sub_rtsp_url === null ? {} : { sub_hls_url: urlOf('secundario') }
        return { status: 200, body: { hls_url: urlOf('principal'), ...sub } }
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/hls/{assinatura}/{arquivo}',
      operacao: 'lerHls',
      acesso: 'publico',
      efeito: null,
      erros: [401, 404, 503],
      resumo: 'Listas e trechos do vídeo ao vivo (HLS), pelo endereço assinado',
      params: camera.extend({ assinatura: z.string().max(512), arquivo: z.string().max(64) }),
      query: z.object({
        _HLS_msn: inteiroTexto(0, 2_147_483_647).optional(),
        _HLS_part: inteiroTexto(0, 65_535).optional(),
      }),
      respostas: { 200: { midia: '*/*' }, 400: { midia: '*/*' } },
      handler: ({ params: { camera_id, assinatura, arquivo }, query: { _HLS_msn: msn, _HLS_part: part }, request }) =>
        answerHls({ ...deps, hls }, { cameraId: camera_id, assinatura, file: arquivo, msn, part }, request),
    }),
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
    defineRoute({
      method: 'get',
      path: `${REPLICA_PATH}/{camera_id}/{fluxo}`,
      operacao: 'lerTransmissaoReplica',
      acesso: 'publico',
      efeito: null,
      erros: [401, 404],
      resumo: 'O vídeo ao vivo de uma câmera, para outro servidor da mesma instalação (WebSocket)',
      descricao: 'Só um servidor com a chave da instalação (`VIGIA_CHAVE`) consegue o token (docs/replicas.md).',
      params: camera.extend({ fluxo: fluxoSchema }),
      query: z.object({ epoca: inteiroTexto(1, 2_147_483_647), prioridade: prioridadeSchema }),
      respostas: { 101: { mensagens: mensagemDonoSchema, binario: true }, 426: z.object({ detail: z.string() }) },
      handler: ({ params: { camera_id, fluxo }, query: { epoca, prioridade }, request }) => ({
        status: 101,
        feed: feedReplica({ cameraId: camera_id, fluxo }, epoca, prioridade, request),
      }),
    }),
  ]
}
