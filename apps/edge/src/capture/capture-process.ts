import { type CameraPipeline, createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import { ANALYSED_FPS, type CameraTask } from '@vigia/analysis/model'
import type { Sight, SightOptions } from '@vigia/vision/sight'
import { createTurns } from '@vigia/vision/turns'
import type { Logger } from 'pino'
import { type CameraSession, createCameraSession } from './camera-session.ts'
import { createConnectionPermits } from './connection-permits.ts'
import { createLoadMeter, type LoadMeter } from './load-meter.ts'
import { createMainPictures, type MainPictures } from './main-pictures.ts'
import { neededModels } from './needed-models.ts'
import { createPictureTaker, type PictureTaker } from './picture-taker.ts'
import { BEAT_MS, type FromCapture, type ToCapture } from './protocol.ts'

export interface CaptureProcess {
  start(): void
  receive(message: ToCapture): void
  stop(): Promise<void>
}

export interface CaptureProcessOptions {
  readonly log: Logger
  send(message: FromCapture): void
  openSight(events: Pick<SightOptions, 'onChange' | 'onBroken'>): Sight
  /** Called when the process cannot recover: it must end and be restarted. */
  fatal(reason: string, error?: unknown): void
}

/** Longer than every time limit of the reader, so that reaching it means that native code hangs. */
const HUNG_MS = 60_000

interface Camera {
  task: CameraTask
  readonly session: CameraSession
  readonly pipeline: CameraPipeline
  readonly mainPictures: MainPictures
  /** Replaced when the addresses change, so that a picture of another stream is never returned. */
  pictures: PictureTaker
}

/** The cameras of one capture process. They share only the models, which they use in turns. */
export function createCaptureProcess(options: CaptureProcessOptions): CaptureProcess {
  const { log, send } = options
  const cameras = new Map<number, Camera>()
  const savedStates = new Map<string, string>()
  const permits = createConnectionPermits({
    request: (ticket, host) => send({ kind: 'request', ticket, host }),
    release: (ticket) => send({ kind: 'release', ticket }),
  })
  const sight = options.openSight({
    onChange: () => beat(),
    onBroken: (error) => options.fatal('the models are gone', error),
  })
  const turns = createTurns()
  const mainSlot = { busy: false }
  let meter: LoadMeter | null = null
  let timer: NodeJS.Timeout | null = null
  let stopping = false

  const beat = () => {
    if (stopping) return
    const streams = [...cameras.values()].map(({ session }) => session.status())
    send({ kind: 'beat', streams, models: sight.states() })
  }

  const tick = () => {
    beat()
    saveStates()
    for (const [id, { session }] of cameras)
      if (session.silentMs() > HUNG_MS) options.fatal(`the reader of camera ${id} hangs`)
  }

  /** Saves the positions of alerted people: after a crash the same person must not raise a second event. */
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

  /**
   * Counts since the previous line. `olhares`: inferences; `trocados`: frames replaced before their inference;
   * `na_fila`: frames that wait now.
   */
  const load = () => {
    const counts = [...cameras.values()].map(({ pipeline }) => pipeline.takeCounts())
    return {
      cameras: cameras.size,
      na_fila: turns.waiting(),
      quadros: counts.reduce((sum, { frames }) => sum + frames, 0),
      olhares: counts.reduce((sum, { inferences }) => sum + inferences, 0),
      trocados: counts.reduce((sum, { replaced }) => sum + replaced, 0),
    }
  }

  const begin = ({ task, states, lastFailure, rtspClient }: Extract<ToCapture, { kind: 'camera' }>) => {
    const { id } = task
    sight.need(neededModels(task))
    const pipeline = createCameraPipeline({
      cameraId: id,
      settings: task,
      states,
      sight,
      turns,
      onEvents(events, state) {
        send({ kind: 'events', events, state })
        const camera = cameras.get(id)
        const ref = events[0]?.ref
        if (camera?.task.mainPicture === true && ref !== undefined)
          mainPictures.request(camera.task.fontes, (frame, epochMs) => pipeline.principal(ref, frame, epochMs))
      },
      onEvidence: (evidence) => send({ kind: 'evidence', evidence }),
      onDiscard: (discard) => send({ kind: 'discard', discard }),
    })
    const mainPictures = createMainPictures({ cameraId: id, permits, rtspClient, log, slot: mainSlot })
    const session = createCameraSession({
      cameraId: id,
      fontes: task.fontes,
      lastFailure,
      rtspClient,
      permits,
      maxFps: ANALYSED_FPS,
      log,
      onChange: beat,
      onFrame: async (frame, time) => {
        await cameras.get(id)?.pictures.frame(frame, pipeline.seen(time.streamMs))
        await pipeline.frame(frame, time)
      },
    })
    cameras.set(id, { task, session, pipeline, mainPictures, pictures: createPictureTaker({ cameraId: id, log }) })
  }

  const change = (camera: Camera, { task, states }: Extract<ToCapture, { kind: 'camera' }>) => {
    const { fontes: _before, ...watchedBefore } = camera.task
    const { fontes, ...watched } = task
    sight.need(neededModels(task))
    if (JSON.stringify(watched) !== JSON.stringify(watchedBefore)) camera.pipeline.configure(task, states)
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
    await camera?.mainPictures.stop()
    await camera?.session.stop()
    await camera?.pipeline.close()
  }

  const take = (message: Extract<ToCapture, { kind: 'camera' }>) => {
    const camera = cameras.get(message.task.id)
    if (camera) change(camera, message)
    else begin(message)
  }

  const takePicture = async ({ ticket, cameraId, request }: Extract<ToCapture, { kind: 'picture' }>) => {
    const picture = await cameras.get(cameraId)?.pictures.take(request)
    send({ kind: 'picture', ticket, picture: picture ?? null })
  }

  return {
    start() {
      timer = setInterval(tick, BEAT_MS)
      meter = createLoadMeter(log, load)
      beat()
    },
    receive(message) {
      if (message.kind === 'granted') permits.granted(message.ticket)
      else if (message.kind === 'camera') take(message)
      else if (message.kind === 'picture') void takePicture(message)
      else if (message.kind === 'restart') cameras.get(message.cameraId)?.session.restart()
      else if (message.kind === 'remove') remove(message.cameraId).catch((error) => options.fatal('stop failed', error))
    },
    async stop() {
      saveStates()
      stopping = true
      if (timer) clearInterval(timer)
      meter?.stop()
      await Promise.all([...cameras.keys()].map(remove))
      await sight.close()
    },
  }
}
