// Its variable must be in the environment of the process before a worker loads onnxruntime (vision, model-runner.ts).
import '@vigia/vision/no-telemetry'
import { Worker } from 'node:worker_threads'
import type { PlateReader } from './passage-model.ts'
import type { FromPlateWorker, ToPlateWorker } from './plate-worker.ts'
import type { PlateFound } from './read-plates.ts'

/** Time after a failure in which no plate is read: a failure of the files or of the memory lasts. */
const PAUSE_MS = 10_000

/**
 * Reads plates in a thread of their own, because a run blocks its thread. The thread and the networks start with the
 * first reading. A reading that fails finds no plate, and the thread starts again after a pause.
 * @param onFailed receives each failure
 */
export function createPlateReader(onFailed: (error: unknown) => void): PlateReader {
  const waiting = new Map<number, (found: readonly PlateFound[]) => void>()
  let worker: Worker | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  let lastNumber = 0

  function fail(error: unknown) {
    if (worker === null) return
    const broken = worker
    worker = null
    failedAt = performance.now()
    for (const resolve of waiting.values()) resolve([])
    waiting.clear()
    void broken.terminate()
    onFailed(error)
  }

  function start(): Worker {
    const started = new Worker(new URL('./plate-worker.ts', import.meta.url), { name: 'placas' })
    // The thread holds no state, so that it may end with its process at any time.
    started.unref()
    started.on('error', (error) => started === worker && fail(error))
    started.on('exit', (code) => started === worker && fail(new Error(`the plate worker ended with code ${code}`)))
    started.on('message', (message: FromPlateWorker) => {
      if (started !== worker) return
      if ('reason' in message) return fail(new Error(message.reason))
      waiting.get(message.number)?.(message.found)
      waiting.delete(message.number)
    })
    return started
  }

  return (picture, side) => {
    if (worker === null && performance.now() - failedAt < PAUSE_MS) return Promise.resolve([])
    worker ??= start()
    const message: ToPlateWorker = { number: ++lastNumber, picture, side }
    worker.postMessage(message)
    return new Promise((resolve) => waiting.set(message.number, resolve))
  }
}
