import type { EdgeLink } from '@vigia/link/edge-link'
import { createPtzClient } from '@vigia/rtsp/onvif-ptz'
import type { Logger } from 'pino'
import { createProbeSlots } from './capture/connection-slots.ts'
import type { EdgeConfig } from './config.ts'
import type { Delivery } from './delivery.ts'
import type { DesiredState } from './link/desired.ts'
import { createProvaHandler } from './pedidos/arm-prova.ts'
import { createCanalPictureHandler } from './pedidos/capture-canal.ts'
import { createPictureHandler } from './pedidos/capture-picture.ts'
import { createClipHandlers } from './pedidos/clip-handlers.ts'
import { createLive } from './pedidos/live.ts'
import { createMiniaturas } from './pedidos/miniaturas.ts'
import { createProbeHandlers } from './pedidos/probe-recorder.ts'
import { createPtzHandlers } from './pedidos/ptz.ts'
import { createKeyframeHandler } from './pedidos/request-keyframe.ts'
import { createRestartHandler } from './pedidos/restart-camera.ts'
import { createScanHandlers } from './pedidos/scan-network.ts'
import { createArchive } from './recordings/create-archive.ts'
import { createRecorderStates } from './recordings/recorder-states.ts'
import { createStillTaker } from './stills/still-taker.ts'
import { createLiveStreams } from './streams/live-streams.ts'
import { createOwnSlots } from './supervisor/host-slots.ts'
import type { EdgeTime } from './time/edge-time.ts'
import type { WatchedCameras } from './watched-cameras.ts'

export interface CommandHandlersOptions {
  readonly config: EdgeConfig
  readonly link: EdgeLink
  readonly desired: Pick<DesiredState, 'applied'>
  readonly delivery: Delivery
  readonly cameras: WatchedCameras
  /** Recordings are asked for, and measured against, the right time. */
  readonly time: Pick<EdgeTime, 'place'>
  readonly log: Logger
}

/** The commands of the cloud, but `diagnosticar`, with the work that they start. */
export function createCommandHandlers({ config, link, desired, delivery, cameras, time, log }: CommandHandlersOptions) {
  const { outbox, sender, clips, clipFiles, uploader } = delivery
  const { isKnown, supervisor, away } = cameras
  const { picture, stream } = supervisor
  const live = createLive({ isKnown, picture, publish: link.publishLiveFrame })
  const miniaturas = createMiniaturas({ isKnown, picture, publish: link.publishLiveFrame, waiting: outbox.size })
  const streams = createLiveStreams({
    cloudUrl: config.cloudUrl,
    isKnown,
    stream,
    log,
    uplinkMbits: config.uplinkMbits,
    isLineFree: sender.isLineFree,
    onNoConnection: (id) => recordings.giveWay(id),
  })
  const stills = createStillTaker({ log })
  const connections = createOwnSlots(cameras.slots)
  const probing = { allowed: config.probeAllowed, slots: createProbeSlots(connections) }
  const recordings = createArchive({
    slots: connections,
    files: clipFiles,
    keeper: clips,
    held: cameras.continuous.files,
    log,
    now: () => time.place(Date.now()).at,
    ...createRecorderStates({ cameras: () => desired.applied.cameras, status: supervisor.status }),
    allowed: config.probeAllowed,
    httpPorts: config.recorderPorts,
  })
  const { stop: stopPtz, ...ptz } = createPtzHandlers({ ...probing, ptz: createPtzClient(), away, isKnown })

  return {
    /** Ends before the link: fetches of recordings. */
    recordings,
    handlers: {
      ...createProbeHandlers(probing),
      ...createScanHandlers({ ...probing, enabled: config.networkScan }),
      ...createCanalPictureHandler({ ...probing, stills }),
      ...streams.handlers,
      ...createClipHandlers({ uploader, keeper: clips, recordings }),
      ...recordings.handlers,
      ...ptz,
      ...live.handlers,
      ...miniaturas.handlers,
      capturar_quadro: createPictureHandler({ isKnown, picture }),
      pedir_quadro_chave: createKeyframeHandler({ ...probing, turns: cameras.keyframeTurns, desired }),
      reiniciar_camera: createRestartHandler(supervisor),
      armar_prova: createProvaHandler(cameras),
    },
    /** Ends everything but the recordings. */
    stop() {
      live.stop()
      miniaturas.stop()
      streams.stop()
      stills.stop()
      stopPtz()
    },
  }
}
