import { randomUUID } from 'node:crypto'
import { type CameraPipeline, createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import { ANALYSED_FPS, type CameraTask } from '@vigia/analysis/model'
import { createPlateReader } from '@vigia/analysis/plates/plate-reader'
import type { RtspClient } from '@vigia/video/connection'
import { createMask, type Mask } from '@vigia/video/mask'
import type { Sight, SightOptions } from '@vigia/vision/sight'
import { createTurns } from '@vigia/vision/turns'
import type { Logger } from 'pino'
import { type CameraSession, createCameraSession } from './camera-session.ts'
import { type ClipRecorder, createClipRecorder } from './clip-recorder.ts'
import { clipSpan, longestBeforeMs } from './clip-span.ts'
import { createConnectionPermits } from './connection-permits.ts'
import { createFurtherStreams } from './further-streams.ts'
import { createLiveSources, type StreamOrder } from './live-sources.ts'
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
  readonly recorder: ClipRecorder
  readonly mainPictures: MainPictures
  readonly rtspClient: RtspClient
  /** Constant: other masks, and the switch of the audio, begin the camera anew. */
  readonly mask: Mask | null
  readonly audio: boolean
  /** Replaced when the addresses change, so that a picture of another stream is never returned. */
  pictures: PictureTaker
}

/** The cameras of one capture process. They share only the models, which they use in turns. */
export function createCaptureProcess(options: CaptureProcessOptions): CaptureProcess {
  const { log, send } = options
  const cameras = new Map<number, Camera>()
  const savedStates = new Map<string, string>()
  const permits = createConnectionPermits({
    request: (ticket, host, use) => send({ kind: 'request', ticket, host, use }),
    opened: (ticket) => send({ kind: 'opened', ticket }),
    release: (ticket) => send({ kind: 'release', ticket }),
  })
  const sight = options.openSight({
    onChange: () => beat(),
    onBroken: (error) => options.fatal('the models are gone', error),
  })
  const streams = createFurtherStreams(permits)
  const live = createLiveSources({
    streams,
    log,
    rtspClient: (cameraId) => cameras.get(cameraId)?.rtspClient ?? 'ffmpeg',
    onRecord: (id, registro) => send({ kind: 'record', id, registro }),
    onEnded: (id, falha) => send({ kind: 'streamEnded', id, falha }),
  })
  const readPlates = createPlateReader((error) => log.error({ err: error }, 'plates cannot be read'))
  const turns = createTurns()
  const mainSlot = { busy: false }
  const inTurn = createTurnQueue()
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

  const begin = ({ task, states, lastFailure, ...given }: Extract<ToCapture, { kind: 'camera' }>) => {
    const { id } = task
    sight.need(neededModels(task))
    const mask = createMask(task.mascaras ?? [])
    const audio = hasAudio(task)
    // The own client reads no audio.
    const rtspClient = audio ? 'ffmpeg' : given.rtspClient
    const pipeline = createCameraPipeline({
      cameraId: id,
      settings: task,
      states,
      sight,
      turns,
      onEvents(events, state) {
        const recorded = events.map((event) => ({ ...event, clipRef: randomUUID() }))
        send({ kind: 'events', events: camera.task.clips ? recorded : events, state })
        if (camera.task.clips)
          for (const { clipRef, candidate } of recorded)
            recorder.event(clipRef, candidate.ocorrido_em, clipSpan(candidate.calibracao))
        const ref = events[0]?.ref
        if (camera.task.mainPicture === true && ref !== undefined && session.choice === 'sub')
          mainPictures.request(camera.task.fontes, (frame, epochMs) => pipeline.principal(ref, frame, epochMs))
      },
      onEvidence: (evidence) => send({ kind: 'evidence', evidence }),
      onDiscard: (discard) => send({ kind: 'discard', discard }),
      readPlates,
      onPassage: (passage) => send({ kind: 'passage', passage }),
    })
    const recorder = createClipRecorder({
      cameraId: id,
      mask,
      inTurn,
      log,
      onClip: (clip) => send({ kind: 'clip', clip }),
      onMissing: (refs, failure) => send({ kind: 'noClip', refs, failure }),
    })
    recorder.reach(longestBeforeMs(task.analises))
    const mainPictures = createMainPictures({ cameraId: id, streams, rtspClient, audio, mask, log, slot: mainSlot })
    const session = createCameraSession({
      cameraId: id,
      fontes: task.fontes,
      lastFailure,
      rtspClient,
      audio,
      permits,
      maxFps: ANALYSED_FPS,
      mask,
      log,
      recorder,
      onChange: beat,
      onFrame: async (frame, time) => {
        const analysed = { seen: pipeline.seen(time.streamMs), moving: pipeline.moving() }
        // After a change of the masks a frame without them must not reach the new readers.
        if (cameras.get(id) === camera) await camera.pictures.frame(frame, analysed)
        await pipeline.frame(frame, time)
      },
    })
    const pictures = createPictureTaker({ cameraId: id, log })
    const camera: Camera = { task, session, pipeline, recorder, mainPictures, rtspClient, mask, audio, pictures }
    cameras.set(id, camera)
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
    camera.recorder.reach(longestBeforeMs(task.analises))
    camera.session.use(fontes)
    camera.task = task
  }

  const remove = async (cameraId: number) => {
    const camera = cameras.get(cameraId)
    cameras.delete(cameraId)
    camera?.pictures.close()
    await live.endAll(cameraId)
    await Promise.all([camera?.mainPictures.stop(), camera?.session.stop()])
    // The last inference may raise an event, which then still has its clip.
    await camera?.pipeline.close()
    await camera?.recorder.stop()
  }

  const take = (message: Extract<ToCapture, { kind: 'camera' }>) => {
    const camera = cameras.get(message.task.id)
    if (camera && hasSameOutput(camera.task, message.task)) return change(camera, message)
    // Everything that holds pictures begins anew, so that none from before the change leaves it.
    if (camera) {
      // A clip under way shows what neither the old nor the new masks cover.
      camera.recorder.cover(createMask(camera.task.mascaras ?? [], message.task.mascaras ?? []))
      if (!hasAudio(message.task)) camera.recorder.silence()
      remove(message.task.id).catch((error) => options.fatal('stop failed', error))
    }
    begin(message)
  }

  const takePicture = async ({ ticket, cameraId, request }: Extract<ToCapture, { kind: 'picture' }>) => {
    const picture = await cameras.get(cameraId)?.pictures.take(request)
    send({ kind: 'picture', ticket, picture: picture ?? null })
  }

  const stream = (order: StreamOrder) => {
    const camera = cameras.get(order.cameraId)
    const { newestGroup } = camera?.recorder ?? {}
    const source = camera && newestGroup && { ...camera, fontes: camera.task.fontes, newestGroup }
    live.start(order, source)
  }

  return {
    start() {
      timer = setInterval(tick, BEAT_MS)
      meter = createLoadMeter(log, load)
      beat()
    },
    receive(message) {
      if (message.kind === 'camera') take(message)
      else if (message.kind === 'picture') void takePicture(message)
      else if (message.kind === 'stream') stream(message.order)
      else if (message.kind === 'endStream') live.end(message.id)
      else if (message.kind === 'restart') cameras.get(message.cameraId)?.session.restart()
      else if (message.kind === 'remove') remove(message.cameraId).catch((error) => options.fatal('stop failed', error))
      else if ('ticket' in message) permits.receive(message)
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

const hasSameOutput = (a: CameraTask, b: CameraTask): boolean =>
  JSON.stringify(a.mascaras ?? []) === JSON.stringify(b.mascaras ?? []) && hasAudio(a) === hasAudio(b)

/** The copy of a masked camera has no audio, so it is not even requested. */
const hasAudio = ({ audio, mascaras }: CameraTask): boolean => audio === true && (mascaras ?? []).length === 0

/** Runs asynchronous work one after another. A failure concerns its own caller only. */
function createTurnQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}
