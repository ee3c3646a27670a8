import { guardMemory } from '@vigia/runtime/process-memory'
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
  /** null: none. */
  readonly spillFolder: string | null
  readonly log: Logger
  /** Largest resident memory, in bytes; read at each check. */
  maxBytes(): number
  readonly memoryEveryMs?: number
  onMessage(message: FromCapture): void
  /** The process has ended for any reason; called once, after its last message. */
  onGone(how: End): void
}

export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether the supervisor killed the process because of its silence. */
  readonly hung: boolean
  /** Memory of the process when the supervisor killed it for that, in bytes; null: another end. */
  readonly memory: { readonly bytes: number; readonly maxBytes: number } | null
}

export function startCaptureChild(options: CaptureChildOptions): CaptureChild {
  const { log } = options
  const child = forkChild(options.entry, {
    ...(options.modelFolder !== null && { VIGIA_MODELOS: options.modelFolder }),
    ...(options.spillFolder !== null && { VIGIA_ANEL: options.spillFolder }),
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

  let memory: End['memory'] = null
  const stopGuard = guardMemory({
    pid: child.pid,
    maxBytes: options.maxBytes,
    ...(options.memoryEveryMs !== undefined && { everyMs: options.memoryEveryMs }),
    onAbove(bytes, maxBytes) {
      memory = { bytes, maxBytes }
      log.error({ pid: child.pid, bytes, limite: maxBytes }, 'capture process above its share of memory: killed')
      child.kill('SIGKILL')
    },
  })

  const finish = (code: number | null, signal: NodeJS.Signals | null) => {
    if (isGone) return
    isGone = true
    watchdog.stop()
    stopGuard()
    options.onGone({ code, signal, hung: isHung, memory })
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
