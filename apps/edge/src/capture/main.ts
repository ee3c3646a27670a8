import { setTimeout as delay } from 'node:timers/promises'
import { createLogDestination, surviveStdioErrors } from '@vigia/runtime/log-destination'
import { createSight } from '@vigia/vision/sight'
import pino from 'pino'
import { createCaptureProcess } from './capture-process.ts'
import type { ToCapture } from './protocol.ts'

/** A capture process: a child of the edge's main process, which gives it cameras and starts it anew when it dies. */

const STOP_MS = 3_000
/** Not the signal of a kill from outside: the supervisor counts it against the cameras that were being read. It leaves no core file. */
const FAILED = 'SIGUSR2'
surviveStdioErrors()
const log = pino({ name: 'captura', level: process.env.VIGIA_LOG_LEVEL ?? 'info' }, createLogDestination())

/**
 * Without the native destructors, which would run under threads that still read and abort in the middle of a model's run; the kernel takes
 * everything back at once.
 */
const die = (signal: 'SIGKILL' | typeof FAILED): void => {
  process.kill(process.pid, signal)
}

const capture = createCaptureProcess({
  log,
  // The callback keeps an error of a channel that closes from being thrown: `disconnect` says the same.
  send: (message) => process.send?.(message, undefined, {}, () => {}),
  openSight: (events) => createSight({ folder: process.env.VIGIA_MODELOS ?? null, threads: 1, ...events }),
  fatal(reason, error) {
    log.fatal({ err: error }, reason)
    die(FAILED)
  },
})

async function stop(): Promise<void> {
  await Promise.race([capture.stop(), delay(STOP_MS)])
  process.disconnect?.()
  die('SIGKILL')
}

// The main process decides when this one ends; a Ctrl-C in the terminal reaches both.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
// Without the main process there is nobody to tell: it died, and its successor starts processes of its own.
process.on('disconnect', () => die('SIGKILL'))
process.on('message', (message: ToCapture) => {
  if (message.kind === 'stop') void stop()
  else capture.receive(message)
})
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception')
  die(FAILED)
})
capture.start()
