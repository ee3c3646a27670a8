import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import type { FromCapture } from '../capture/protocol.ts'
import { type Assignment, createAssignment, type Slot } from './assignment.ts'
import type { CameraStatuses } from './camera-statuses.ts'
import type { CaptureChild, End } from './child.ts'
import { createCrashRecord } from './crash-record.ts'
import { memoryShare } from './memory-shares.ts'
import { createProcessRun, type ProcessRun, type ProcessRunOptions } from './process-run.ts'

/** The capture processes and the cameras that each of them reads. */
export interface CaptureProcesses {
  /** Assigns a camera to a process. Returns the process if it runs already; else `onStarted` names the camera. */
  read(cameraId: number): CaptureChild | null
  /** Ends the process if it read no other camera. */
  remove(cameraId: number): void
  /** The stream of the camera is another one: earlier crashes do not count. */
  forgetCrashes(cameraId: number): void
  childOf(cameraId: number): CaptureChild | undefined
  /** Reopens the stream of a camera, or starts its process at once. false: the camera is not read. */
  restart(cameraId: number): boolean
  /** `pid`: null while the process waits for its start; `falhas`: consecutive unexpected ends. */
  list(): { pid: number | null; cameras: number[]; falhas: number }[]
  stop(): Promise<void>
}

export interface CaptureProcessLimits {
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
  /** Folder of the installer's models; null when omitted. */
  readonly modelFolder?: string | null
  /** Folder for pictures of long groups that memory cannot hold; null when omitted: they are dropped. */
  readonly spillFolder?: string | null
}

interface CaptureProcessesOptions {
  readonly limits: CaptureProcessLimits
  readonly statuses: CameraStatuses
  readonly log: Logger
  onStarted(child: CaptureChild, cameraIds: readonly number[]): void
  /** `slotId`: null after the slot was given up. */
  onMessage(child: CaptureChild, message: FromCapture, slotId: number | null): void
  /** A process has ended; its cameras are still assigned. */
  onGone(child: CaptureChild): void
  /** A process with these cameras has ended before `stop`. */
  onInterrupted(cameraIds: readonly number[]): void
  /** The slot no longer exists. */
  onForgotten(slotId: number): void
  /** Statuses of the cameras of an ended process have changed. */
  onChange(): void
}

const PER_PROCESS = 8
/** Simultaneous starts are spread over this time: loading the model briefly occupies a whole core. */
const FIRST_START_SPREAD_MS = 250

/**
 * Keeps one process running for each group of cameras. A crashed or hung process is replaced after a random delay that
 * doubles. A camera that was being read in repeated crashes gets its own process. After a kill for memory the camera
 * with the largest pictures gets one. A process above its share of memory is killed.
 */
export function createCaptureProcesses(options: CaptureProcessesOptions): CaptureProcesses {
  const { limits, statuses, log } = options
  const backoff = limits.backoff ?? { minMs: 500, maxMs: 30_000 }
  const assignment = createAssignment(limits.camerasPerProcess ?? PER_PROCESS)
  const crashRecord = createCrashRecord(limits.crashLimit ?? 3)
  const runs = new Map<number, ProcessRun>()
  let stopped = false

  function open(slot: Slot, failures: number): ProcessRun {
    const run: ProcessRun = createProcessRun({
      slot,
      failures,
      child: childOptions(limits, slot, assignment.slots),
      backoff,
      log,
      onStarted: (child) => options.onStarted(child, [...slot.cameras]),
      onMessage: (child, message) => options.onMessage(child, message, runs.has(slot.id) ? slot.id : null),
      onGone: (child, how) => gone(slot, run, child, how),
    })
    runs.set(slot.id, run)
    return run
  }

  function gone(slot: Slot, run: ProcessRun, child: CaptureChild, how: End) {
    options.onGone(child)
    if (!stopped) options.onInterrupted([...slot.cameras])
    if (stopped || runs.get(slot.id) !== run) return
    log.error({ processo: slot.id, pid: child.pid, ...how, cameras: [...slot.cameras] }, 'capture process died')
    const isKill = how.signal === 'SIGKILL' && !how.hung
    const reading = [...slot.cameras].filter((id) => statuses.of(id)?.stream.reading)
    // The kernel kills when memory runs out. One camera at a time: more processes would increase the shortage.
    const suspects = isKill ? statuses.largestOf(reading) : crashRecord.crashed(reading, performance.now())
    const aboveShare = how.memory !== null && slot.cameras.size === 1 ? how.memory : null
    for (const id of slot.cameras) statuses.interrupted(id, aboveShare)
    for (const id of suspects) isolate(id, slot)
    if (assignment.slots.has(slot.id)) run.startAgain()
    else forget(slot)
    options.onChange()
  }

  function isolate(cameraId: number, from: Slot) {
    if (from.isolated) return
    const slot = assignment.isolate(cameraId)
    log.error({ camera: cameraId, processo: slot.id }, 'camera isolated in its own process')
    open(slot, 1).startIn(backoffMs(1, backoff))
  }

  function forget({ id }: Slot) {
    runs.delete(id)
    options.onForgotten(id)
  }

  return {
    read(cameraId) {
      const slot = assignment.place(cameraId)
      const run = runs.get(slot.id)
      if (run) return run.child
      open(slot, 0).startIn(Math.random() * FIRST_START_SPREAD_MS)
      return null
    },
    remove(cameraId) {
      const slot = assignment.slotOf(cameraId)
      assignment.remove(cameraId)
      crashRecord.forget(cameraId)
      const run = slot && runs.get(slot.id)
      run?.child?.send({ kind: 'remove', cameraId })
      if (!slot || !run || slot.cameras.size > 0) return
      forget(slot)
      run.stop().catch((error: unknown) => log.error({ err: error }, 'capture process not stopped'))
    },
    forgetCrashes: crashRecord.forget,
    childOf: (cameraId) => runs.get(assignment.slotOf(cameraId)?.id ?? 0)?.child ?? undefined,
    restart(cameraId) {
      const slot = assignment.slotOf(cameraId)
      const run = slot && runs.get(slot.id)
      if (stopped || !slot || !run) return false
      if (run.child) run.child.send({ kind: 'restart', cameraId })
      else run.startNow()
      return true
    },
    list: () =>
      [...runs].map(([id, { child, failures }]) => ({
        pid: child?.pid ?? null,
        cameras: [...(assignment.slots.get(id)?.cameras ?? [])],
        falhas: failures,
      })),
    async stop() {
      stopped = true
      await Promise.all([...runs.values()].map((run) => run.stop()))
    },
  }
}

const childOptions = (
  limits: CaptureProcessLimits,
  slot: Slot,
  slots: Assignment['slots'],
): ProcessRunOptions['child'] => ({
  entry: limits.entry ?? new URL('../capture/main.ts', import.meta.url),
  capacity: slot.isolated ? 1 : (limits.camerasPerProcess ?? PER_PROCESS),
  silenceMs: limits.silenceMs ?? 20_000,
  startMs: limits.startMs ?? 60_000,
  modelFolder: limits.modelFolder ?? null,
  spillFolder: limits.spillFolder ?? null,
  ...(limits.memoryEveryMs !== undefined && { memoryEveryMs: limits.memoryEveryMs }),
  maxBytes() {
    const total = [...slots.values()].reduce((sum, { cameras }) => sum + cameras.size, 0)
    return (limits.memoryShare ?? memoryShare)(slot.cameras.size, total)
  },
})
