import type { Detector } from '@vigia/vision/detector'
import type { Logger } from 'pino'
import { type CameraPipeline, createCameraPipeline } from '../pipeline/camera-pipeline.ts'
import { type CameraSession, createCameraSession } from './camera-session.ts'
import { createConnectionPermits } from './connection-permits.ts'
import { createPictureTaker, type PictureTaker } from './picture-taker.ts'
import { BEAT_MS, type CameraTask, type FromCapture, type ToCapture } from './protocol.ts'

export interface CaptureProcess {
  start(): void
  receive(message: ToCapture): void
  stop(): Promise<void>
}

export interface CaptureProcessOptions {
  readonly log: Logger
  send(message: FromCapture): void
  loadDetector(): Promise<Detector>
  /** Nothing can be mended from inside: the process must end and be started anew. */
  fatal(reason: string, error?: unknown): void
}

/** Frames of a camera that are analysed in a second. */
export const ANALYSED_FPS = 5
/** The reader has time limits of its own; when even these do not come, native code hangs. */
const HUNG_MS = 60_000

interface Camera {
  task: CameraTask
  readonly session: CameraSession
  readonly pipeline: CameraPipeline
  /** Of the addresses that are read now: a picture of another stream is never shown. */
  pictures: PictureTaker
}

/** The cameras of one capture process: they share one detector and have nothing else in common. */
export function createCaptureProcess(options: CaptureProcessOptions): CaptureProcess {
  const { log, send } = options
  const cameras = new Map<number, Camera>()
  const savedStates = new Map<string, string>()
  const permits = createConnectionPermits({
    request: (ticket, host) => send({ kind: 'request', ticket, host }),
    release: (ticket) => send({ kind: 'release', ticket }),
  })
  let detector: Detector | null = null
  let timer: NodeJS.Timeout | null = null
  let stopping = false

  const beat = () => {
    if (!stopping) send({ kind: 'beat', streams: [...cameras.values()].map(({ session }) => session.status()) })
  }

  const tick = () => {
    beat()
    saveStates()
    for (const [id, { session }] of cameras)
      if (session.silentMs() > HUNG_MS) options.fatal(`the reader of camera ${id} hangs`)
  }

  /** Who stands where among the alerted: after a crash the same person must not be an event again. */
  const saveStates = () => {
    const changed = [...cameras.values()]
      .flatMap(({ pipeline }) => pipeline.states())
      .filter(({ cameraId, ia, state }) => {
        const [key, text] = [`${cameraId} ${ia}`, JSON.stringify(state)]
        if (savedStates.get(key) === text) return false
        savedStates.set(key, text)
        return true
      })
    if (changed.length > 0) send({ kind: 'states', states: changed })
  }

  const begin = ({ task, states, lastFailure }: Extract<ToCapture, { kind: 'camera' }>) => {
    const { id } = task
    const pipeline = createCameraPipeline({
      cameraId: id,
      watch: task,
      states,
      detector: () => detector,
      onEvents: (events, state) => send({ kind: 'events', events, state }),
    })
    const session = createCameraSession({
      cameraId: id,
      fontes: task.fontes,
      lastFailure,
      permits,
      maxFps: ANALYSED_FPS,
      log,
      onChange: beat,
      onFrame: async (frame, time) => {
        await cameras.get(id)?.pictures.frame(frame)
        await pipeline.frame(frame, time)
      },
    })
    cameras.set(id, { task, session, pipeline, pictures: createPictureTaker({ cameraId: id, log }) })
  }

  const change = (task: CameraTask) => {
    const camera = cameras.get(task.id)
    if (!camera) return
    const { fontes: _before, ...watchedBefore } = camera.task
    const { fontes, ...watched } = task
    if (JSON.stringify(watched) !== JSON.stringify(watchedBefore)) camera.pipeline.watch(task)
    if (JSON.stringify(fontes) !== JSON.stringify(camera.task.fontes)) {
      camera.pictures.close()
      camera.pictures = createPictureTaker({ cameraId: task.id, log })
    }
    camera.session.use(fontes)
    camera.task = task
  }

  const remove = async (cameraId: number) => {
    const camera = cameras.get(cameraId)
    cameras.delete(cameraId)
    camera?.pictures.close()
    await camera?.session.stop()
  }

  const takePicture = async ({ ticket, cameraId, wish }: Extract<ToCapture, { kind: 'picture' }>) => {
    const picture = await cameras.get(cameraId)?.pictures.take(wish)
    send({ kind: 'picture', ticket, picture: picture ?? null })
  }

  return {
    start() {
      timer = setInterval(tick, BEAT_MS)
      beat()
      options.loadDetector().then(
        (loaded) => {
          detector = loaded
          log.info({ modelo: loaded.id }, 'detector ready')
        },
        (error: unknown) => options.fatal('the detector can not be loaded', error),
      )
    },
    receive(message) {
      if (message.kind === 'granted') permits.granted(message.ticket)
      else if (message.kind === 'camera') cameras.has(message.task.id) ? change(message.task) : begin(message)
      else if (message.kind === 'picture') void takePicture(message)
      else if (message.kind === 'restart') cameras.get(message.cameraId)?.session.restart()
      else if (message.kind === 'remove') remove(message.cameraId).catch((error) => options.fatal('stop failed', error))
    },
    async stop() {
      saveStates()
      stopping = true
      if (timer) clearInterval(timer)
      await Promise.all([...cameras.keys()].map(remove))
      await detector?.close()
    },
  }
}
