import type { AnalysisStates, CameraTask, SavedState, SeenDiscard, SeenEvidence } from '@vigia/analysis/model'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { ModelState } from '@vigia/vision/sight'
import type { Logger } from 'pino'
import type { StreamOrder } from '../capture/live-sources.ts'
import type { ClipFailure, Picture, PictureRequest, SeenClip, StreamStatus } from '../capture/model.ts'
import type { FromCapture, RecordedEvent } from '../capture/protocol.ts'
import { createAssignment, type Slot } from './assignment.ts'
import { type CaptureChild, type End, startCaptureChild } from './child.ts'
import { createCrashRecord } from './crash-record.ts'
import type { HostPermits } from './host-permits.ts'
import { memoryShare } from './memory-shares.ts'
import { createModelNotices } from './model-notices.ts'
import { createPictureRequests } from './picture-requests.ts'
import { createStreamOrders, type StreamTarget } from './stream-orders.ts'

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

interface CameraStatus {
  readonly stream: StreamStatus
  readonly models: readonly ModelState[]
  readonly at: number
}

export interface SupervisorOptions {
  readonly log: Logger
  /** Folder of the installer's models; null when omitted. */
  readonly modelFolder?: string | null
  /** Cameras read by the own RTSP client instead of FFmpeg's; none when omitted. */
  readonly ownRtspClient?: ReadonlySet<number>
  readonly entry?: URL
  readonly camerasPerProcess?: number
  /** Number of crashes after which a camera gets its own process. */
  readonly crashLimit?: number
  readonly backoff?: BackoffLimits
  /** Largest memory of a process that reads `cameras` of `total` cameras, in bytes; default: `memoryShare`. */
  memoryShare?(cameras: number, total: number): number
  readonly memoryEveryMs?: number
  readonly silenceMs?: number
  readonly startMs?: number
  /** Shared with all other connections to recorders. */
  readonly permits: HostPermits
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

interface Run {
  child: CaptureChild | null
  timer: NodeJS.Timeout | null
  failures: number
  startedAt: number
}

/** After a process has run this long, its end counts as a first failure. */
const STABLE_MS = 60_000
const STOP_MS = 4_000
/** Simultaneous starts are spread over this time: loading the model briefly occupies a whole core. */
const FIRST_START_SPREAD_MS = 250

/**
 * Keeps one process running for each group of cameras. A crashed or hung process is replaced after a random delay that
 * doubles. A camera that was being read in repeated crashes gets its own process. After a kill for memory the camera
 * with the largest pictures gets one. A process above its share of memory is killed.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { log, permits } = options
  const entry = options.entry ?? new URL('../capture/main.ts', import.meta.url)
  const perProcess = options.camerasPerProcess ?? 8
  const backoff = options.backoff ?? { minMs: 500, maxMs: 30_000 }
  const assignment = createAssignment(perProcess)
  const crashRecord = createCrashRecord(options.crashLimit ?? 3)
  const pictures = createPictureRequests()
  const streamOrders = createStreamOrders()
  const tasks = new Map<number, CameraTask>()
  const streams = new Map<number, CameraStatus>()
  const notices = createModelNotices(log)
  /** Failure to report for a camera until its stream is online again. */
  const lastFailures = new Map<number, CameraFailure>()
  const runs = new Map<number, Run>()
  let stopped = false

  function give(child: CaptureChild, task: CameraTask) {
    const lastFailure = lastFailures.get(task.id) ?? null
    const rtspClient = options.ownRtspClient?.has(task.id) ? 'own' : 'ffmpeg'
    child.send({ kind: 'camera', task, states: options.states(task.id), lastFailure, rtspClient })
  }

  function start(slot: Slot, run: Run) {
    run.timer = null
    const child: CaptureChild = startCaptureChild({
      entry,
      capacity: slot.isolated ? 1 : perProcess,
      silenceMs: options.silenceMs ?? 20_000,
      startMs: options.startMs ?? 60_000,
      modelFolder: options.modelFolder ?? null,
      ...(options.memoryEveryMs !== undefined && { memoryEveryMs: options.memoryEveryMs }),
      maxBytes: () => (options.memoryShare ?? memoryShare)(slot.cameras.size, tasks.size),
      log,
      onMessage: (message) => receive(slot, child, message),
      onGone: (how) => gone(slot, run, child, how),
    })
    run.child = child
    run.startedAt = performance.now()
    log.info({ processo: slot.id, pid: child.pid, cameras: [...slot.cameras] }, 'capture process started')
    for (const id of slot.cameras) {
      const task = tasks.get(id)
      if (task) give(child, task)
    }
  }

  function receive(slot: Slot, child: CaptureChild, message: FromCapture) {
    if (message.kind === 'beat') heard(slot, message.streams, message.models)
    else if (message.kind === 'events') options.onEvents(message.events, message.state)
    else if (message.kind === 'passage') options.onPassage(message.passage)
    else if (message.kind === 'states') options.onStates(message.states)
    else if (message.kind === 'evidence') options.onEvidence(message.evidence)
    else if (message.kind === 'discard') options.onDiscard(message.discard)
    else if (message.kind === 'clip') options.onClip(message.clip)
    else if (message.kind === 'noClip') options.onNoClip(message.refs, message.failure)
    else if (message.kind === 'picture') pictures.answered(message.ticket, message.picture)
    else if (message.kind === 'record') streamOrders.record(message.id, message.registro)
    else if (message.kind === 'streamEnded') streamOrders.ended(message.id, message.falha)
    else if (message.kind === 'opened') permits.opened(child, message.ticket)
    else if (message.kind === 'release') permits.release(child, message.ticket)
    else permits.request(child, message, (kind) => child.send({ kind, ticket: message.ticket }))
  }

  function heard({ id: place }: Slot, received: readonly StreamStatus[], models: readonly ModelState[]) {
    let changed = runs.has(place) && notices.heard(place, models)
    for (const stream of received) {
      if (!tasks.has(stream.cameraId)) continue
      const before = streams.get(stream.cameraId)?.stream
      changed ||= before?.online !== stream.online || before.failure !== stream.failure || before.codec !== stream.codec
      streams.set(stream.cameraId, { stream, models, at: performance.now() })
      if (stream.online) lastFailures.delete(stream.cameraId)
    }
    if (changed) options.onChange()
  }

  function gone(slot: Slot, run: Run, child: CaptureChild, how: End) {
    permits.releaseAll(child)
    pictures.gone(child)
    streamOrders.gone(child)
    run.child = null
    if (!stopped) options.onInterrupted([...slot.cameras])
    if (stopped || runs.get(slot.id) !== run) return
    log.error({ processo: slot.id, pid: child.pid, ...how, cameras: [...slot.cameras] }, 'capture process died')
    const isKill = how.signal === 'SIGKILL' && !how.hung
    const reading = [...slot.cameras].filter((id) => streams.get(id)?.stream.reading)
    // The kernel kills when memory runs out. One camera at a time: more processes would increase the shortage.
    const suspects = isKill ? largestOf(reading) : crashRecord.crashed(reading, performance.now())
    const aboveShare = how.memory !== null && slot.cameras.size === 1 ? how.memory : null
    for (const id of slot.cameras) interrupted(id, aboveShare)
    for (const id of suspects) isolate(id, slot)
    run.failures = performance.now() - run.startedAt >= STABLE_MS ? 1 : run.failures + 1
    if (assignment.slots.has(slot.id)) schedule(slot, run, backoffMs(run.failures - 1, backoff))
    else forget(slot)
    options.onChange()
  }

  function forget({ id }: Slot) {
    runs.delete(id)
    notices.forget(id)
  }

  /** The camera whose pictures take most memory; none if they take no more than those of another. */
  function largestOf(cameraIds: readonly number[]): number[] {
    const bytesOf = (id: number | undefined) => (id === undefined ? 0 : (streams.get(id)?.stream.memoryBytes ?? 0))
    const [largest, second] = cameraIds.toSorted((a, b) => bytesOf(b) - bytesOf(a))
    return largest === undefined || second === undefined || bytesOf(largest) === bytesOf(second) ? [] : [largest]
  }

  function interrupted(cameraId: number, aboveShare: End['memory']) {
    const before = streams.get(cameraId)
    const failure = aboveShare ? 'video_grande_demais' : 'captura_reiniciada'
    lastFailures.set(cameraId, failure)
    if (!before) return
    const mib = (bytes: number) => Math.round(bytes / (1024 * 1024))
    const detail =
      aboveShare && `a captura usou ${mib(aboveShare.bytes)} MiB; o limite é ${mib(aboveShare.maxBytes)} MiB`
    streams.set(cameraId, { ...before, stream: { ...before.stream, online: false, failure, detail, reading: false } })
  }

  function isolate(cameraId: number, from: Slot) {
    if (from.isolated) return
    const slot = assignment.isolate(cameraId)
    log.error({ camera: cameraId, processo: slot.id }, 'camera isolated in its own process')
    const run: Run = { child: null, timer: null, failures: 1, startedAt: 0 }
    runs.set(slot.id, run)
    schedule(slot, run, backoffMs(run.failures, backoff))
  }

  function schedule(slot: Slot, run: Run, waitMs: number) {
    run.timer = setTimeout(() => start(slot, run), waitMs)
  }

  function takeUp(task: CameraTask) {
    const slot = assignment.place(task.id)
    const run = runs.get(slot.id)
    if (run?.child) give(run.child, task)
    if (run) return
    const fresh: Run = { child: null, timer: null, failures: 0, startedAt: 0 }
    runs.set(slot.id, fresh)
    schedule(slot, fresh, Math.random() * FIRST_START_SPREAD_MS)
  }

  function startNow(slot: Slot, run: Run) {
    if (run.timer) clearTimeout(run.timer)
    run.failures = 0
    start(slot, run)
  }

  const childOf = (cameraId: number) => runs.get(assignment.slotOf(cameraId)?.id ?? 0)?.child

  function drop(cameraId: number) {
    const slot = assignment.slotOf(cameraId)
    assignment.remove(cameraId)
    tasks.delete(cameraId)
    streams.delete(cameraId)
    lastFailures.delete(cameraId)
    crashRecord.forget(cameraId)
    const run = slot && runs.get(slot.id)
    run?.child?.send({ kind: 'remove', cameraId })
    if (!slot || !run || slot.cameras.size > 0) return
    if (run.timer) clearTimeout(run.timer)
    forget(slot)
    run.child?.stop(STOP_MS).catch((error: unknown) => log.error({ err: error }, 'capture process not stopped'))
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
          lastFailures.delete(task.id)
          crashRecord.forget(task.id)
        }
        tasks.set(task.id, task)
        takeUp(task)
      }
    },
    status: (cameraId) => streams.get(cameraId) ?? null,
    picture: async (cameraId, request, signal) => {
      const child = childOf(cameraId)
      return child ? await pictures.ask(child, cameraId, request, signal) : null
    },
    stream: (order, target) => streamOrders.start(childOf(order.cameraId) ?? undefined, order, target),
    restart(cameraId) {
      const slot = assignment.slotOf(cameraId)
      const run = slot && runs.get(slot.id)
      if (stopped || !slot || !run) return false
      if (run.child) run.child.send({ kind: 'restart', cameraId })
      else startNow(slot, run)
      return true
    },
    pidOf: (cameraId) => childOf(cameraId)?.pid,
    processes: () =>
      [...runs].map(([id, { child, failures }]) => ({
        pid: child?.pid ?? null,
        cameras: [...(assignment.slots.get(id)?.cameras ?? [])],
        falhas: failures,
      })),
    async stop() {
      stopped = true
      for (const { timer } of runs.values()) if (timer) clearTimeout(timer)
      await Promise.all([...runs.values()].map(({ child }) => child?.stop(STOP_MS)))
    },
  }
}
