import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import { hasVideoPackage } from '@vigia/video/video-package'
import type { Logger } from 'pino'
import type { FromCapture } from '../capture/protocol.ts'
import type { Slot } from './assignment.ts'
import { type CaptureChild, type CaptureChildOptions, type End, startCaptureChild } from './child.ts'

/**
 * The process of one slot: its present child, or the wait for the next start. Without the package that decodes video it
 * waits for the package.
 */
export interface ProcessRun {
  readonly child: CaptureChild | null
  /** Consecutive unexpected ends. */
  readonly failures: number
  startIn(waitMs: number): void
  /** Starts the process without further wait; its earlier ends do not count. */
  startNow(): void
  /** Starts the process after a random delay that doubles with each unexpected end. */
  startAgain(): void
  stop(): Promise<void>
}

export interface ProcessRunOptions {
  readonly slot: Slot
  /** Unexpected ends that count before the first start. */
  readonly failures: number
  readonly child: Omit<CaptureChildOptions, 'log' | 'onMessage' | 'onGone'>
  readonly backoff: BackoffLimits
  readonly log: Logger
  onStarted(child: CaptureChild): void
  onMessage(child: CaptureChild, message: FromCapture): void
  /** The child has ended for any reason. */
  onGone(child: CaptureChild, how: End): void
}

/** After a process has run this long, its end counts as a first failure. */
const STABLE_MS = 60_000
const STOP_MS = 4_000
/** Pause between two checks for the package that decodes video. One check asks for a few files. */
const VIDEO_CHECK_MS = 5_000

export function createProcessRun(options: ProcessRunOptions): ProcessRun {
  const { slot, log } = options
  let current: CaptureChild | null = null
  let timer: NodeJS.Timeout | null = null
  let { failures } = options
  let startedAt = 0

  function start() {
    timer = null
    if (!hasVideoPackage()) return startIn(VIDEO_CHECK_MS)
    const child: CaptureChild = startCaptureChild({
      ...options.child,
      log,
      onMessage: (message) => options.onMessage(child, message),
      onGone(how) {
        current = null
        options.onGone(child, how)
      },
    })
    current = child
    startedAt = performance.now()
    log.info({ processo: slot.id, pid: child.pid, cameras: [...slot.cameras] }, 'capture process started')
    options.onStarted(child)
  }

  function startIn(waitMs: number) {
    timer = setTimeout(start, waitMs)
  }

  const cancel = () => {
    if (timer) clearTimeout(timer)
  }

  return {
    get child() {
      return current
    },
    get failures() {
      return failures
    },
    startIn,
    startNow() {
      cancel()
      failures = 0
      start()
    },
    startAgain() {
      failures = performance.now() - startedAt >= STABLE_MS ? 1 : failures + 1
      startIn(backoffMs(failures - 1, options.backoff))
    },
    async stop() {
      cancel()
      await current?.stop(STOP_MS)
    },
  }
}
