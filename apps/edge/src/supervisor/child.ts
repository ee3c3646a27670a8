import { createWatchdog } from '@vigia/runtime/watchdog'
import type { Logger } from 'pino'
import type { FromCapture, ToCapture } from '../capture/protocol.ts'
import { forkChild } from './fork-child.ts'

export interface CaptureChild {
  readonly pid: number | undefined
  send(message: ToCapture): void
  /** Requests the end of the process and kills it after `graceMs`. Resolves when it has ended. */
  stop(graceMs: number): Promise<void>
}

export interface CaptureChildOptions {
  /** Program of the child process. */
  readonly entry: URL
  /** Largest number of its cameras: determines the size of its thread pool. */
  readonly capacity: number
  /** Longest silence before a process counts as hung and is killed; before its first message the limit is `startMs`. */
  readonly silenceMs: number
  readonly startMs: number
  /** Folder of the installer's models. */
  readonly modelFolder: string | null
  readonly log: Logger
  onMessage(message: FromCapture): void
  /** The process has ended for any reason; called once, after its last message. */
  onGone(how: End): void
}

export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether the supervisor killed the process because of its silence. */
  readonly hung: boolean
}

export function startCaptureChild(options: CaptureChildOptions): CaptureChild {
  const { log } = options
  const child = forkChild(options.entry, {
    ...(options.modelFolder !== null && { VIGIA_MODELOS: options.modelFolder }),
    // Every blocked read of a stream occupies a thread of the pool (node-av); file access and DNS need more threads.
    UV_THREADPOOL_SIZE: String(2 * options.capacity + 8),
  })
  const gone = Promise.withResolvers<void>()
  let isGone = false
  let isHung = false
  const watchdog = createWatchdog({
    silenceMs: options.silenceMs,
    firstMs: options.startMs,
    onSilence: (limitMs) => {
      isHung = true
      log.error({ pid: child.pid, silencio_ms: limitMs }, 'capture process is hung: killed')
      child.kill('SIGKILL')
    },
  })

  const finish = (code: number | null, signal: NodeJS.Signals | null) => {
    if (isGone) return
    isGone = true
    watchdog.stop()
    options.onGone({ code, signal, hung: isHung })
    gone.resolve()
  }

  child.on('message', (message: FromCapture) => {
    watchdog.heard()
    options.onMessage(message)
  })
  child.on('error', (error) => {
    log.error({ err: error, pid: child.pid }, 'capture process')
    // The start itself failed, so `close` does not follow.
    if (child.pid === undefined) finish(null, null)
  })
  // `close` instead of `exit`: it follows the last message of the child.
  child.on('close', finish)

  return {
    pid: child.pid,
    send(message) {
      // The channel of an ending child rejects messages; its successor gets them all again.
      if (child.connected) child.send(message, (error) => error && log.debug({ err: error }, 'message not delivered'))
    },
    async stop(graceMs) {
      if (isGone) return
      if (child.connected) child.send({ kind: 'stop' } satisfies ToCapture, () => {})
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await gone.promise
      clearTimeout(timer)
    },
  }
}
