import { randomUUID } from 'node:crypto'
import { type CameraPipeline, type CameraPipelineOptions, createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import { ANALYSED_FPS, type CameraTask } from '@vigia/analysis/model'
import type { PlateReader } from '@vigia/analysis/plates/passage-model'
import { type ClientChoice, createClientChoice } from '@vigia/video/client-choice'
import { createMask, type Mask } from '@vigia/video/mask'
import type { SpillSpace } from '@vigia/video/readers/spill'
import type { ModelRunner } from '@vigia/vision/model-runner'
import type { Turns } from '@vigia/vision/turns'
import type { Logger } from 'pino'
import { type CameraSession, createCameraSession } from './camera-session.ts'
import { type ClipRecorder, createClipRecorder } from './clip-recorder.ts'
import { clipSpan, longestBeforeMs } from './clip-span.ts'
import type { ConnectionSlots } from './connection-slots.ts'
import type { FurtherStreams } from './further-streams.ts'
import { createMainPictures } from './main-pictures.ts'
import type { Picture, PictureRequest } from './model.ts'
import { neededModels } from './needed-models.ts'
import { createPictureTaker } from './picture-taker.ts'
import type { FromCapture, ToCapture } from './protocol.ts'
import type { LiveCamera } from './stream-order.ts'

/** Parts that the cameras of one capture process share. */
export interface SharedCapture {
  readonly log: Logger
  readonly slots: ConnectionSlots
  readonly runner: ModelRunner
  readonly turns: Turns
  readonly streams: FurtherStreams
  readonly spill: SpillSpace | null
  readonly readPlates: PlateReader
  /** One of these cameras at a time takes a picture of its main stream. */
  readonly mainSlot: { busy: boolean }
  /** Runs one copy of a clip after another. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  send(message: FromCapture): void
  /** The status of a camera has changed. */
  onChange(): void
}

/** One camera of a capture process: its connection, analysis, clips and pictures. */
export interface CapturedCamera {
  readonly task: CameraTask
  readonly session: CameraSession
  readonly pipeline: CameraPipeline
  readonly rtspClient: ClientChoice
  /** The camera as its live streams need it. */
  live(): LiveCamera
  picture(request: PictureRequest): Promise<Picture | null>
  /** Applies a task with the same masks and audio. */
  change(message: CameraMessage): void
  /** Covers the clips under way: they show what neither the own masks nor those of another task cover. */
  coverClips(next: CameraTask): void
  /** From now on there are no pictures. */
  close(): void
  /** Closes the connection, then ends the analysis and the clips. */
  stop(): Promise<void>
}

export type CameraMessage = Extract<ToCapture, { kind: 'camera' }>

export function createCapturedCamera(shared: SharedCapture, message: CameraMessage): CapturedCamera {
  const { log, runner, streams, slots, mainSlot, send, onChange } = shared
  let { task } = message
  const { id } = task
  runner.need(neededModels(task))
  // Constant: other masks, the switch of the audio and another transport begin the camera anew.
  const mask = createMask(task.mascaras ?? [])
  const audio = hasAudio(task)
  const rtspClient = createClientChoice({
    first: message.rtspClient,
    kept: message.keptClients,
    onKept: (kept, failure) => send({ kind: 'keptClient', cameraId: id, kept, failure }),
  })
  const pipeline = openPipeline(shared, message, (events, state) => {
    const recorded = events.map((event) => ({ ...event, clipRef: randomUUID() }))
    send({ kind: 'events', events: task.clips ? recorded : events, state })
    if (task.clips)
      for (const { clipRef, candidate } of recorded)
        recorder.event(clipRef, candidate.ocorrido_em, clipSpan(candidate.calibracao))
    const ref = events[0]?.ref
    if (task.mainPicture === true && ref !== undefined && session.choice === 'sub')
      mainPictures.request(task.fontes, (frame, epochMs) => pipeline.principal(ref, frame, epochMs))
  })
  const recorder = openRecorder(shared, id, mask)
  recorder.reach(longestBeforeMs(task.analises))
  const mainPictures = createMainPictures({ cameraId: id, streams, rtspClient, audio, mask, log, slot: mainSlot })
  const session = createCameraSession({
    cameraId: id,
    fontes: task.fontes,
    lastFailure: message.lastFailure,
    rtspClient,
    audio,
    slots,
    maxFps: ANALYSED_FPS,
    mask,
    log,
    recorder,
    onChange,
    onFrame: async (frame, time) => {
      const analysed = { seen: pipeline.seen(time.streamMs), moving: pipeline.moving() }
      // After a change of the masks a frame without them must not reach the new readers.
      if (!isClosed) await pictures.frame(frame, analysed)
      await pipeline.frame(frame, time)
    },
  })
  /** Replaced when the addresses change, so that a picture of another stream is never returned. */
  let pictures = createPictureTaker({ cameraId: id, log })
  let isClosed = false

  return {
    get task() {
      return task
    },
    session,
    pipeline,
    rtspClient,
    live: () => ({ session, audio, mask, fontes: task.fontes, newestGroup: recorder.newestGroup }),
    picture: (request) => pictures.take(request),
    change(next) {
      const { fontes: _before, ...watchedBefore } = task
      const { fontes, ...watched } = next.task
      runner.need(neededModels(next.task))
      if (JSON.stringify(watched) !== JSON.stringify(watchedBefore)) pipeline.configure(next.task, next.states)
      if (JSON.stringify(fontes) !== JSON.stringify(task.fontes)) {
        pictures.close()
        pictures = createPictureTaker({ cameraId: id, log })
      }
      recorder.reach(longestBeforeMs(next.task.analises))
      session.use(fontes)
      task = next.task
    },
    coverClips(next) {
      recorder.cover(createMask(task.mascaras ?? [], next.mascaras ?? []))
      if (!hasAudio(next)) recorder.silence()
    },
    close() {
      isClosed = true
      pictures.close()
    },
    async stop() {
      await Promise.all([mainPictures.stop(), session.stop()])
      // The last inference may raise an event, which then still has its clip.
      await pipeline.close()
      await recorder.stop()
    },
  }
}

/** The analysis of a camera. It sends everything but its events to the main process. */
const openPipeline = (
  { runner, turns, readPlates, send }: SharedCapture,
  { task, states }: CameraMessage,
  onEvents: CameraPipelineOptions['onEvents'],
): CameraPipeline =>
  createCameraPipeline({
    cameraId: task.id,
    settings: task,
    states,
    runner,
    turns,
    onEvents,
    onEvidence: (evidence) => send({ kind: 'evidence', evidence }),
    onDiscard: (discard) => send({ kind: 'discard', discard }),
    readPlates,
    onPassage: (passage) => send({ kind: 'passage', passage }),
  })

/** The clips of a camera. */
const openRecorder = ({ log, spill, inTurn, send }: SharedCapture, cameraId: number, mask: Mask | null): ClipRecorder =>
  createClipRecorder({
    cameraId,
    spill,
    mask,
    inTurn,
    log,
    onClip: (clip) => send({ kind: 'clip', clip }),
    onMissing: (refs, failure) => send({ kind: 'noClip', refs, failure }),
  })

/** Whether a change of the task keeps the connection, and the masks and audio of everything that leaves the camera. */
export const hasSameStream = (a: CameraTask, b: CameraTask): boolean =>
  a.transporte === b.transporte &&
  JSON.stringify(a.mascaras ?? []) === JSON.stringify(b.mascaras ?? []) &&
  hasAudio(a) === hasAudio(b)

/** The copy of a masked camera has no audio, so it is not even requested. */
const hasAudio = ({ audio, mascaras }: CameraTask): boolean => audio === true && (mascaras ?? []).length === 0
