import type { AnalysisStates, CameraTask, SavedState, SeenDiscard, SeenEvidence } from '@vigia/analysis/model'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import type { ModelState } from '@vigia/vision/model-runner'
import type { Logger } from 'pino'
import { hostOf, loginOf } from '../capture/connection-slots.ts'
import type { ClipFailure, Picture, PictureRequest, SeenClip, StreamStatus } from '../capture/model.ts'
import type { FromCapture, RecordedEvent } from '../capture/protocol.ts'
import type { StreamOrder } from '../capture/stream-order.ts'
import { type CameraStatus, createCameraStatuses } from './camera-statuses.ts'
import { type CaptureProcessLimits, createCaptureProcesses } from './capture-processes.ts'
import type { CaptureChild } from './child.ts'
import type { HostSlots } from './host-slots.ts'
import { createModelNotices } from './model-notices.ts'
import { createPictureRequests } from './picture-requests.ts'
import type { RtspClients } from './rtsp-clients.ts'
import { createStreamOrders, type StreamOrders, type StreamTarget } from './stream-orders.ts'

export interface Supervisor {
  /** Sets the cameras to read. Cameras with an unchanged task are not affected. */
  apply(tasks: readonly CameraTask[]): void
  /**
   * Last report of the capture process on a camera's stream and its models, with its time (monotonic ms); null: none
   * yet.
   */
  status(cameraId: number): CameraStatus | null
  /** Takes a picture of a camera. It opens no connection. null: no frame is available, or `signal` aborted. */
  picture(cameraId: number, request: PictureRequest, signal: AbortSignal): Promise<Picture | null>
  /** Starts a live stream of a camera. Returns a function that ends it. */
  stream(order: StreamOrder, target: StreamTarget): () => void
  /** Live streams of a camera that wait for a keyframe. */
  waiting: StreamOrders['waiting']
  /**
   * Closes a camera's stream and reopens it at once without affecting other cameras. If its process waits for a
   * restart, the process starts at once. false: the camera is not read.
   */
  restart(cameraId: number): boolean
  /** Id of the process that reads a camera. */
  pidOf(cameraId: number): number | undefined
  /**
   * The capture processes; `pid`: null while the process waits for its start; `falhas`: consecutive unexpected ends.
   */
  processes(): { pid: number | null; cameras: number[]; falhas: number }[]
  stop(): Promise<void>
}

export interface SupervisorOptions extends CaptureProcessLimits {
  readonly log: Logger
  /** Absent: the own RTSP client reads all cameras first, and a second one is not remembered. */
  readonly rtspClients?: Pick<RtspClients, 'first' | 'kept' | 'keep'>
  /** Shared with all other connections to recorders. */
  readonly slots: HostSlots
  /** States of the analyses of a camera, requested whenever a process starts to read the camera. */
  states(cameraId: number): AnalysisStates
  onEvents(events: readonly RecordedEvent[], state: unknown): void
  /** A clip, or its absence, for each `clipRef` of an event, unless its process ends before. */
  onClip(clip: SeenClip): void
  onNoClip(refs: readonly string[], failure: ClipFailure): void
  /** The process that read these cameras has ended: clips in progress are lost. */
  onInterrupted(cameraIds: readonly number[]): void
  onStates(states: readonly SavedState[]): void
  onEvidence(evidence: SeenEvidence): void
  onDiscard(discard: SeenDiscard): void
  onPassage(passage: SeenPassage): void
  /** Some status changed. */
  onChange(): void
}

/** Gives each camera's task to a capture process, and each message of these processes to its receiver. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { log, slots } = options
  const pictures = createPictureRequests()
  const streamOrders = createStreamOrders()
  const tasks = new Map<number, CameraTask>()
  const statuses = createCameraStatuses()
  const notices = createModelNotices(log)
  const processes = createCaptureProcesses({
    limits: options,
    statuses,
    log,
    onStarted(child, cameraIds) {
      for (const id of cameraIds) {
        const task = tasks.get(id)
        if (task) give(child, task)
      }
    },
    onMessage: receive,
    onGone(child) {
      slots.releaseAll(child)
      pictures.gone(child)
      streamOrders.gone(child)
    },
    onInterrupted: options.onInterrupted,
    onForgotten: notices.forget,
    onChange: options.onChange,
  })

  function give(child: CaptureChild, task: CameraTask) {
    const lastFailure = statuses.lastFailure(task.id)
    const rtspClient = options.rtspClients?.first(task) ?? 'own'
    const keptClients = options.rtspClients?.kept(task) ?? []
    child.send({ kind: 'camera', task, states: options.states(task.id), lastFailure, rtspClient, keptClients })
  }

  function receive(child: CaptureChild, message: FromCapture, slotId: number | null) {
    if (message.kind === 'beat') heard(slotId, message.streams, message.models)
    else if (message.kind === 'events') options.onEvents(message.events, message.state)
    else if (message.kind === 'passage') options.onPassage(message.passage)
    else if (message.kind === 'states') options.onStates(message.states)
    else if (message.kind === 'evidence') options.onEvidence(message.evidence)
    else if (message.kind === 'discard') options.onDiscard(message.discard)
    else if (message.kind === 'clip') options.onClip(message.clip)
    else if (message.kind === 'noClip') options.onNoClip(message.refs, message.failure)
    else if (message.kind === 'picture') pictures.answered(message.ticket, message.picture)
    else if (message.kind === 'record') streamOrders.record(message.id, message.registro)
    else if (message.kind === 'streamEnded') streamOrders.ended(message.id, message.falha, message.causa)
    else if (message.kind === 'keptClient') options.rtspClients?.keep(message.cameraId, message.kept, message.failure)
    else if (message.kind === 'opened') slots.opened(child, message.ticket)
    else if (message.kind === 'release') slots.release(child, message.ticket, message.end)
    else slots.request(child, message, (kind) => child.send({ kind, ticket: message.ticket }))
  }

  function heard(slotId: number | null, received: readonly StreamStatus[], models: readonly ModelState[]) {
    let changed = slotId !== null && notices.heard(slotId, models)
    for (const stream of received) {
      const url = tasks.get(stream.cameraId)?.fontes.rtsp_url
      if (url !== undefined) slots.measured(hostOf(url), stream.cameraId, stream.pictures ?? null)
      if (url !== undefined && statuses.heard(stream, models)) changed = true
    }
    if (changed) options.onChange()
  }

  function drop(cameraId: number) {
    tasks.delete(cameraId)
    statuses.forget(cameraId)
    processes.remove(cameraId)
  }

  return {
    apply(next) {
      const wanted = new Set(next.map(({ id }) => id))
      for (const id of [...tasks.keys()]) if (!wanted.has(id)) drop(id)
      for (const task of next) {
        const before = tasks.get(task.id)
        if (before && JSON.stringify(before) === JSON.stringify(task)) continue
        if (before && JSON.stringify(before.fontes) !== JSON.stringify(task.fontes)) {
          // For another stream, the last failure and the crash count do not apply.
          statuses.forgetFailure(task.id)
          processes.forgetCrashes(task.id)
        }
        tasks.set(task.id, task)
        const child = processes.read(task.id)
        if (child) give(child, task)
      }
    },
    status: statuses.of,
    picture: async (cameraId, request, signal) => {
      const child = processes.childOf(cameraId)
      return child ? await pictures.ask(child, cameraId, request, signal) : null
    },
    stream: (order, target) => streamOrders.start(processes.childOf(order.cameraId), order, target),
    waiting: streamOrders.waiting,
    restart(cameraId) {
      const url = tasks.get(cameraId)?.fontes.rtsp_url
      if (url !== undefined) slots.forgive(hostOf(url), loginOf(url))
      return processes.restart(cameraId)
    },
    pidOf: (cameraId) => processes.childOf(cameraId)?.pid,
    processes: processes.list,
    stop: processes.stop,
  }
}
