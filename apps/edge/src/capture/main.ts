import { setTimeout as delay } from 'node:timers/promises'
import { createLogDestination, surviveStdioErrors } from '@vigia/runtime/log-destination'
import { createSpillSpace } from '@vigia/video/readers/spill'
import { createModelRunner } from '@vigia/vision/model-runner'
import pino from 'pino'
import { createCaptureProcess } from './capture-process.ts'
import { SPILL } from './clip-recorder.ts'
import type { ToCapture } from './protocol.ts'

/** A capture process: a child of the edge's main process, which assigns cameras to it and restarts it when it dies. */

const STOP_MS = 3_000
/**
 * The supervisor attributes this signal to the cameras being read, but SIGKILL to an external kill. This signal writes
 * no core file.
 */
const FAILED = 'SIGUSR2'
surviveStdioErrors()
const log = pino({ name: 'captura', level: process.env.VIGIA_LOG_LEVEL ?? 'info' }, createLogDestination())

/**
 * Skips the native destructors: under threads that still read they abort in the middle of an inference. The kernel
 * releases all resources.
 */
const die = (signal: 'SIGKILL' | typeof FAILED): void => {
  process.kill(process.pid, signal)
}

/** Messages that are not written to the channel yet. */
let unsent = 0
let onAllSent = () => {}

const capture = createCaptureProcess({
  log,
  spill: process.env.VIGIA_ANEL
    ? createSpillSpace({
        folder: process.env.VIGIA_ANEL,
        ...SPILL,
        failed: (err) =>
          log.warn({ err }, 'the disk for long groups of pictures fails; their oldest pictures are lost'),
      })
    : null,
  send(message) {
    unsent++
    // The callback prevents an exception when the channel closes; `disconnect` handles that case.
    process.send?.(message, undefined, {}, () => {
      unsent--
      if (unsent === 0) onAllSent()
    })
  },
  openModelRunner: (events) => createModelRunner({ folder: process.env.VIGIA_MODELOS ?? null, threads: 1, ...events }),
  fatal(reason, error) {
    log.fatal({ err: error }, reason)
    die(FAILED)
  },
})

/** The last clips take several writes. */
async function stopAndSend(): Promise<void> {
  await capture.stop()
  if (unsent > 0) await new Promise<void>((resolve) => (onAllSent = resolve))
}

let isStopping = false

/** A further call does nothing: the first one is still delivering. */
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await Promise.race([stopAndSend(), delay(STOP_MS)])
  process.disconnect?.()
  die('SIGKILL')
}

// The main process stops this process; Ctrl-C in the terminal reaches both.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
// The main process died, and its successor starts its own capture processes.
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
