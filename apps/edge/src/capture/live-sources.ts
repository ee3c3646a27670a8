import type { Causa } from '@vigia/contracts/causa'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import type { ClientChoice, RtspClient } from '@vigia/video/client-choice'
import { createCopyReader } from '@vigia/video/encode/copy-reader'
import { COPY_KEYFRAME_MS } from '@vigia/video/encode/h264-encoder'
import { NoEncoderError } from '@vigia/video/encode/small-copy'
import type { Mask } from '@vigia/video/mask'
import type { Logger } from 'pino'
import type { FurtherStreams } from './further-streams.ts'
import { createLivePackager } from './live-packager.ts'
import { isUnpackaged, readOtherStream } from './other-stream.ts'
import type { LiveCamera, StreamFailure, StreamOrder } from './stream-order.ts'

export interface LiveSources {
  start(order: StreamOrder, camera: LiveCamera | undefined): void
  end(id: string): void
  /** Ends the streams of a camera, or of all cameras. The next orders start them again. */
  endAll(cameraId?: number): Promise<void>
}

export interface LiveSourcesOptions {
  readonly streams: FurtherStreams
  readonly rtspClient: (cameraId: number) => RtspClient | ClientChoice
  readonly log: Logger
  onRecord(id: string, registro: RegistroTransmissao): void
  onEnded(id: string, falha: StreamFailure, causa?: Causa): void
}

interface Source {
  readonly cameraId: number
  stop(): Promise<void>
}

/**
 * Sources of live streams. The analysed stream is shared: its live stream begins with the pictures since the last
 * keyframe. The other stream of a camera is opened while its order lasts.
 */
export function createLiveSources(options: LiveSourcesOptions): LiveSources {
  const { streams, rtspClient, log, onRecord, onEnded } = options
  const sources = new Map<string, Source>()

  function share({ id, cameraId, fluxo, partMs, onlyShared }: StreamOrder, camera: LiveCamera): Source {
    const choice = fluxo === 'secundario' ? 'sub' : 'principal'
    const { session, newestGroup } = camera
    const packager = createLivePackager({
      partMs,
      audio: camera.audio && onlyShared !== true,
      figures() {
        const { fps, keyframeIntervalMs } = session.status()
        return { fps, gopMs: keyframeIntervalMs }
      },
      onRecord: (registro) => onRecord(id, registro),
    })
    const group = choice === session.choice ? newestGroup() : null
    if (group) packager.replay(group)
    const detach = session.attach(choice, packager, { underWay: group !== null })
    return { cameraId, stop: async () => detach() }
  }

  /** The copy begins in the group under way, or with the next keyframe if the memory does not hold that group. */
  function copyOf(order: StreamOrder, { session, newestGroup }: LiveCamera, mask: Mask): Source {
    const { id, cameraId, partMs } = order
    const figures = () => ({ fps: session.status().fps, gopMs: COPY_KEYFRAME_MS })
    const packager = createLivePackager({
      partMs,
      audio: false,
      figures,
      onRecord: (registro) => onRecord(id, registro),
    })
    const copy = createCopyReader(packager, mask, (err) => {
      log.error({ camera: cameraId, err }, 'no copy of a masked camera')
      detach()
      fail(id, err instanceof NoEncoderError ? 'sem_codificador' : 'interno')
    })
    const group = newestGroup()
    if (group) copy.replay(group)
    const detach = session.attach(session.choice, copy, { underWay: group !== null })
    return { cameraId, stop: async () => detach() }
  }

  function open(order: StreamOrder, url: string, camera: LiveCamera): Source {
    const stopping = new AbortController()
    const running = readOtherStream({
      url,
      client: rtspClient(order.cameraId),
      order,
      camera,
      streams,
      signal: stopping.signal,
      log,
      onRecord: (registro) => onRecord(order.id, registro),
    }).then(
      (end) => {
        if (end !== null) fail(order.id, end.falha, end.causa)
      },
      (err: unknown) => {
        log.error({ camera: order.cameraId, err }, 'live stream failed')
        fail(order.id, 'interno')
      },
    )
    return {
      cameraId: order.cameraId,
      stop() {
        stopping.abort()
        return running
      },
    }
  }

  function fail(id: string, falha: StreamFailure, causa?: Causa): void {
    sources.delete(id)
    onEnded(id, falha, causa)
  }

  return {
    start(order, camera) {
      if (!camera) return fail(order.id, 'camera_desconhecida')
      const hasNoVideo = isUnpackaged(camera.session.status().codec)
      if (camera.mask) {
        if (hasNoVideo) return fail(order.id, 'fluxo_inexistente')
        sources.set(order.id, copyOf(order, camera, camera.mask))
        return
      }
      const { rtsp_url, sub_rtsp_url } = camera.fontes
      const url = order.fluxo === 'secundario' ? sub_rtsp_url : rtsp_url
      if (url === null) return fail(order.id, 'fluxo_inexistente')
      const analysed = camera.session.choice === 'sub' ? 'secundario' : 'principal'
      const isShared = order.fluxo === analysed || order.onlyShared === true
      if (isShared && hasNoVideo) return fail(order.id, 'fluxo_inexistente')
      sources.set(order.id, isShared ? share(order, camera) : open(order, url, camera))
    },
    end(id) {
      const source = sources.get(id)
      sources.delete(id)
      source?.stop().catch((err: unknown) => log.error({ err }, 'live stream not stopped'))
    },
    async endAll(cameraId) {
      const chosen = [...sources].filter(([, source]) => cameraId === undefined || source.cameraId === cameraId)
      for (const [id] of chosen) fail(id, 'interno')
      await Promise.all(chosen.map(([, source]) => source.stop()))
    },
  }
}
