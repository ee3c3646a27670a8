import { VigiaError } from '@vigia/contracts/errors'
import { edgeFailureText } from '@vigia/contracts/pedido-failures'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import type { AskEdge } from '../../locais/public.ts'

/** Request of one viewer. */
export interface ViewRequest {
  /** Longer side of a frame in pixels. */
  readonly lado: number
  /** Frames a second. */
  readonly fps: number
}

/** A camera and the request of its viewers. */
export type CameraRequest = readonly [cameraId: number, view: ViewRequest]

/** A camera with a live view. */
interface ViewedCamera {
  readonly cameraId: number
  readonly edgeId: number
  /** Aborts when the last viewer leaves. */
  readonly idle: AbortController
}

interface ViewCommandsDeps {
  readonly replica: Pick<Replica, 'shareRequest'>
  readonly askEdge: AskEdge
  readonly log: Logger
  /** Duration of the lease of a command to an edge. */
  readonly leaseMs: number
  /** The cameras of an edge that viewers at this replica have open. */
  readonly requestsOf: (edgeId: number) => CameraRequest[]
  readonly stopping: AbortSignal
}

const PRAZO_MS = 8_000

const failureText = {
  ...edgeFailureText,
  ocupado: 'A caixa já mostra ao vivo o máximo de câmeras. Feche outra e tente de novo.',
}

/** The commands that begin and end the frames of a camera, for the viewers of all replicas. */
export function createViewCommands({ replica, askEdge, log, leaseMs, requestsOf, stopping }: ViewCommandsDeps) {
  /** Requests of viewers at other replicas for the camera. */
  async function requestsOfOthers(edgeId: number, cameraId: number): Promise<ViewRequest[]> {
    const requests = requestsOf(edgeId)
    const others = (await replica.shareRequest(
      edgeId,
      'ao_vivo',
      requests.length > 0 ? requests : null,
      leaseMs,
    )) as CameraRequest[][]
    return others.flat().flatMap(([id, view]) => (id === cameraId ? [view] : []))
  }

  /** null: the edge sends frames of the camera. */
  async function begin({ edgeId, cameraId, idle }: ViewedCamera, own: ViewRequest): Promise<VigiaError | null> {
    const { lado, fps } = largest([own, ...(await requestsOfOthers(edgeId, cameraId))])
    const size = { quadros_por_s: fps, lado_maximo: lado, validade_ms: leaseMs }
    const command = { acao: 'iniciar_ao_vivo', camera_id: cameraId, ...size } as const
    const signal = AbortSignal.any([stopping, idle.signal])
    try {
      const answer = await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal })
      return answer.ok ? null : new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
    } catch (error) {
      if (error instanceof VigiaError) return error
      throw error
    }
  }

  /** The edge stops by itself at the end of its lease; the command saves the rest of that time on the uplink. */
  async function end({ edgeId, cameraId }: ViewedCamera): Promise<void> {
    if ((await requestsOfOthers(edgeId, cameraId)).length > 0) return
    const command = { acao: 'parar_ao_vivo', camera_id: cameraId } as const
    await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal: stopping }).catch((err: unknown) =>
      log.debug({ err, camera: cameraId }, 'stop of live view not sent to the edge'),
    )
  }

  return { begin, end }
}

/** Returns the largest request. One stream serves all viewers, so some get larger frames than requested. */
export function largest(requests: readonly ViewRequest[]): ViewRequest {
  return {
    lado: Math.max(...requests.map(({ lado }) => lado)),
    fps: Math.max(...requests.map(({ fps }) => fps)),
  }
}
