import { getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { VigiaError } from '@vigia/contracts/errors'
import { createDetector, type Detector } from './detector.ts'
import type { TarefaVisao } from './manifest.ts'
import { chooseModel } from './registry.ts'
import type { FromSightWorker, SightSettings, ToSightWorker } from './sight-protocol.ts'

/** The program of the worker thread of `createSight`: the models, and one run after the other. */

/** Niceness of this thread alone (Linux counts threads as it counts processes): a third of the weight of the others. */
const NICENESS = 5
// Where the processor is short, frames are looked at less often, but streams are read and the other threads answer in time.
// Whoever started the process with less weight still means it, and only root may take it back.
setPriority(Math.max(NICENESS, getPriority()))

const { folder, threads } = workerData as SightSettings
const port = parentPort as MessagePort
const detectors = new Map<TarefaVisao, Detector>()
const send = (message: FromSightWorker): void => port.postMessage(message)

async function load(tarefa: TarefaVisao): Promise<void> {
  let id: string | null = null
  try {
    const manifest = await chooseModel(tarefa, folder)
    id = manifest.id
    const detector = await createDetector(manifest, { threads })
    detectors.set(tarefa, detector)
    send({
      kind: 'ready',
      tarefa,
      model: { id, input: detector.input, labels: new Set(manifest.rotulos.filter(Boolean)) },
    })
  } catch (error) {
    const motivo = error instanceof VigiaError ? error.detalhe : `O modelo de ${tarefa} não pôde ser usado: ${error}`
    send({ kind: 'unusable', tarefa, id, motivo })
  }
}

async function detect({ number, tarefa, pictures, options }: ToSightWorker & { kind: 'detect' }): Promise<void> {
  try {
    const detector = detectors.get(tarefa)
    if (!detector) throw new Error(`no model for ${tarefa}`)
    const found = []
    for (const picture of pictures) found.push(await detector.detect(picture, options))
    send({ kind: 'seen', number, found })
  } catch (error) {
    send({ kind: 'failed', number, reason: String(error) })
  }
}

/** Without anything left to wait for the thread ends by itself; ended from outside, within a run, it would take the process along. */
async function close(): Promise<void> {
  port.close()
  for (const detector of detectors.values()) await detector.close()
}

let last: Promise<void> = Promise.resolve()
port.on('message', (message: ToSightWorker) => {
  last = last.then(() => {
    if (message.kind === 'load') return load(message.tarefa)
    return message.kind === 'detect' ? detect(message) : close()
  })
})
