import { type ChildProcess, fork } from 'node:child_process'
import { createWatchdog } from '@vigia/runtime/watchdog'
import type { Logger } from 'pino'
import type { FromCapture, ToCapture } from '../capture/protocol.ts'

export interface CaptureChild {
  readonly pid: number | undefined
  send(message: ToCapture): void
  /** Asks it to end, and ends it when it does not within `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>
}

export interface CaptureChildOptions {
  /** Program of the child. */
  readonly entry: URL
  /** Cameras that it may get: decides the size of its thread pool. */
  readonly capacity: number
  /** Longest silence before it counts as hung and is killed, ms; the first sign of life has `startMs`. */
  readonly silenceMs: number
  readonly startMs: number
  /** Folder of the installer's own models. */
  readonly modelFolder: string | null
  readonly log: Logger
  onMessage(message: FromCapture): void
  /** It is gone, for whatever reason; called once, after its last message. */
  onGone(how: End): void
}

export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** It was killed from here because it gave no sign of life. */
  readonly hung: boolean
}

/** Settings that a child needs and may see. Codes and passwords of the main process are not among them. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'VIGIA_LOG_LEVEL']

export function startCaptureChild(options: CaptureChildOptions): CaptureChild {
  const { log } = options
  const child: ChildProcess = fork(options.entry, [], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      ...(options.modelFolder === null ? {} : { VIGIA_MODELOS: options.modelFolder }),
      // Every blocked read of a stream holds a thread of the pool (node-av); file access and name look-up need some, too.
      UV_THREADPOOL_SIZE: String(2 * options.capacity + 8),
    },
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
    // It could not even be started: there will be no `close`.
    if (child.pid === undefined) finish(null, null)
  })
  // `close` and not `exit`: what the child had sent before it died is delivered first.
  child.on('close', finish)

  return {
    pid: child.pid,
    send(message) {
      // The channel of a child that is dying refuses; its successor is told everything anew.
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
