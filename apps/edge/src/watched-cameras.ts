import { join } from 'node:path'
import type { CameraTask } from '@vigia/analysis/model'
import type { CameraRelatada } from '@vigia/contracts/edge-state'
import { hasVideoPackage } from '@vigia/video/video-package'
import type { Logger } from 'pino'
import { hostOf } from './capture/connection-slots.ts'
import type { EdgeConfig } from './config.ts'
import { createContinuous } from './continuous/continuous.ts'
import { minuteTimes } from './continuous/minute-times.ts'
import { toRecord } from './continuous/recorded-cameras.ts'
import type { EdgeDb } from './db/edge-db.ts'
import { type Delivery, reserveBytes } from './delivery.ts'
import type { Applied, DesiredState } from './link/desired.ts'
import { createKeyframeTurns } from './pedidos/request-keyframe.ts'
import { reportCamera } from './status/camera-report.ts'
import { keyframeWaits } from './status/keyframe-waits.ts'
import { freeBytes } from './status/machine.ts'
import { armedTask } from './supervisor/armed-task.ts'
import { createAwayCameras } from './supervisor/away-cameras.ts'
import { awayTask } from './supervisor/away-task.ts'
import { connectionLimits } from './supervisor/connection-limits.ts'
import { createHostLimitStore } from './supervisor/host-limit-store.ts'
import { createHostSlots } from './supervisor/host-slots.ts'
import { createRtspClients } from './supervisor/rtsp-clients.ts'
import type { createSupervisor } from './supervisor/supervisor.ts'
import { createTestedCameras } from './supervisor/tested-cameras.ts'
import type { EdgeTime } from './time/edge-time.ts'

export interface WatchedCamerasOptions {
  readonly config: EdgeConfig
  readonly db: EdgeDb
  /** Name of this edge: recordings of another one are deleted. */
  readonly owner: string
  readonly desired: Pick<DesiredState, 'applied'>
  readonly delivery: Delivery
  readonly time: Pick<EdgeTime, 'state' | 'place'>
  readonly supervise: typeof createSupervisor
  readonly log: Logger
  /** The status of a camera has changed. */
  onChange(): void
}

/** Largest number of simultaneous connection attempts to one recorder, of streams and probes together. */
const ATTEMPTS_PER_HOST = 2

/** Stands in the remote diagnosis, which shows messages without their fields. */
const learnedNotice = (connections: number): string =>
  'Um equipamento derruba ou piora o vídeo da análise quando a caixa abre com ele mais conexões do que ' +
  `${connections}. A caixa não abre mais do que isso, e usa para fotos e ao vivo o fluxo que já tem.`

/** The cameras of the applied configuration: their capture processes, continuous recordings and reports. */
export function createWatchedCameras(options: WatchedCamerasOptions) {
  const { config, db, owner, desired, time, log } = options
  const { outbox, intake, clips } = options.delivery
  const slots = createHostSlots(ATTEMPTS_PER_HOST, {
    onLearned: (host, connections) => log.warn({ host }, learnedNotice(connections)),
    store: createHostLimitStore(db, Date.now, log),
  })
  const rtspClients = createRtspClients(db, config.ffmpegCameras, log)
  const supervisor = options.supervise({
    log,
    modelFolder: config.modelFolder,
    spillFolder: join(config.dataDir, 'anel'),
    rtspClients,
    slots,
    states: outbox.states,
    onEvents: intake.events,
    onStates: intake.states,
    onPassage: intake.passage,
    onEvidence: intake.evidence,
    onDiscard: intake.discard,
    onClip: clips.clip,
    onNoClip: clips.missing,
    onInterrupted(cameraIds) {
      clips.interrupted(cameraIds)
      intake.endPassages(cameraIds)
    },
    onChange: options.onChange,
  })
  const folder = config.recordingFolder ?? join(config.dataDir, 'continua')
  const continuous = createContinuous({
    folder,
    owner,
    stream: supervisor.stream,
    log,
    reserveBytes: 3 * reserveBytes(config),
    freeBytes: () => freeBytes(folder),
    times: minuteTimes(db, time),
  })
  const taskNow = (task: CameraTask) => {
    const timed = time.state === 'desconhecida' || tested.has(task.id) ? armedTask(task) : task
    return away.has(task.id) ? awayTask(timed) : timed
  }
  const applyTasks = () => supervisor.apply(desired.applied.cameras.flatMap(({ task }) => (task ? taskNow(task) : [])))
  const away = createAwayCameras(db, { log, onChange: applyTasks })
  const tested = createTestedCameras(applyTasks)

  const keyframeTurns = createKeyframeTurns()

  return {
    slots,
    supervisor,
    keyframeTurns,
    continuous,
    away,
    tested,
    /** The time has become known or unknown. */
    timeChanged() {
      applyTasks()
      continuous.correct()
    },
    isKnown: (id: number) => desired.applied.cameras.some(({ desejada }) => desejada.id === id),
    apply(applied: Applied) {
      slots.limit(connectionLimits(applied.cameras))
      keyframeTurns.retain(applied.cameras.map(({ desejada }) => desejada.id))
      rtspClients.retain(applied.cameras.flatMap(({ task }) => task?.fontes ?? []))
      applyTasks()
      continuous.apply(...toRecord(applied))
    },
    report: (): CameraRelatada[] =>
      desired.applied.cameras.map((camera) => {
        const { id, mascaras = [] } = camera.desejada
        const known = supervisor.status(id)
        const seen = known && { ...known, ageMs: performance.now() - known.at }
        const report = reportCamera(camera, seen, desired.applied.recursos, hasVideoPackage())
        const gravacao = continuous.report(id)
        const espera = keyframeTurns.isDue(id) ? keyframeWaits(seen, supervisor.waiting(id), mascaras.length > 0) : []
        const conexoes = camera.task && slots.learned(hostOf(camera.task.fontes.rtsp_url))
        return {
          ...report,
          ...(gravacao && { gravacao }),
          ...(conexoes !== null && { conexoes }),
          ...(espera.length > 0 && { espera_quadro_chave: espera }),
        }
      }),
  }
}

export type WatchedCameras = ReturnType<typeof createWatchedCameras>
