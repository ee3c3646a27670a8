import { type Prioridade, prioridadeSchema } from '@vigia/contracts/ao-vivo'
import { VigiaError } from '@vigia/contracts/errors'
import { fluxoSchema } from '@vigia/contracts/transmissao'
import { idTexto, inteiroTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Feed } from '../../../http/push-messages.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { mensagemDonoSchema, ownerFeed } from './owner-feed.ts'
import type { ReceiveDeps } from './receive-upload.ts'
import { isReplicaToken } from './replica-token.ts'
import type { StreamKey } from './store.ts'
import { REPLICA_PATH } from './stream-state.ts'
import type { ViewDeps } from './view-messages.ts'

type Deps = Pick<ViewDeps & ReceiveDeps, 'box' | 'clock' | 'streams'> & { readonly log: Logger }

const camera = z.object({ camera_id: idTexto })

/** The live video of this process for the other replicas of the installation. */
export const replicaRoutes = (deps: Deps): Route[] => [
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
      feed: feedReplica(deps, { cameraId: camera_id, fluxo }, epoca, prioridade, request),
    }),
  }),
]

function feedReplica(deps: Deps, key: StreamKey, epoca: number, prioridade: Prioridade, request: RequestInfo): Feed {
  const { streams, box, clock, log } = deps
  const token = /^bearer (\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? ''
  const grant = { uso: 'ler', camera: key.cameraId, fluxo: key.fluxo, epoca, para: streams.replica } as const
  if (!isReplicaToken(box, token, grant, clock.now()))
    throw new VigiaError('nao_autenticado', { detalhe: 'Este endereço é só para os servidores da instalação.' })
  const seat = streams.join(key, epoca, prioridade)
  if (!seat) throw new VigiaError('nao_encontrado', { detalhe: 'Este servidor não recebe mais este vídeo.' })
  return {
    messages: ownerFeed(seat, request.signal),
    finished: seat.leave,
    failed: (err: unknown) => log.error({ err, id: request.id }, 'live stream for a replica ended'),
  }
}
