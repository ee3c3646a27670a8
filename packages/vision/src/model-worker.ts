import { getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { VigiaError } from '@vigia/contracts/errors'
import { type Classifier, createClassifier } from './classifier.ts'
import { createDetector, type Detector } from './detector.ts'
import type { ModelManifest, TarefaVisao } from './manifest.ts'
import type { FromModelWorker, ModelWorkerSettings, SecondStage, ToModelWorker } from './model-protocol.ts'
import { chooseModel, secondStageOf } from './registry.ts'

/** Program of the worker thread of `createModelRunner`: loads the models and executes the runs in order. */

/** Niceness of this thread only (Linux schedules threads like processes): a third of the weight of the others. */
const NICENESS = 5
// On a busy processor fewer frames get an inference, but the other threads still read streams and answer in time. A
// higher niceness of the process stays in force: only root may lower it.
setPriority(Math.max(NICENESS, getPriority()))

const { folder, threads } = workerData as ModelWorkerSettings
const port = parentPort as MessagePort
const detectors = new Map<TarefaVisao, Detector>()
const classifiers = new Map<TarefaVisao, Classifier>()
const send = (message: FromModelWorker): void => port.postMessage(message)

async function load(tarefa: TarefaVisao): Promise<void> {
  let id: string | null = null
  try {
    const manifest = await chooseModel(tarefa, folder)
    id = manifest.id
    const detector = await createDetector(manifest, { threads })
    detectors.set(tarefa, detector)
    const second = await loadSecond(manifest)
    send({
      kind: 'ready',
      tarefa,
      model: {
        id,
        input: detector.input,
        aviso: detector.aviso,
        second,
        labels: new Set(manifest.rotulos.filter(Boolean)),
      },
    })
  } catch (error) {
    const motivo = error instanceof VigiaError ? error.detalhe : `O modelo de ${tarefa} não pôde ser usado: ${error}`
    send({ kind: 'unusable', tarefa, id, motivo })
  }
}

/** Throws VigiaError for an unusable classifier: without it the confidences have another scale. */
async function loadSecond(detector: ModelManifest): Promise<SecondStage | null> {
  const manifest = await secondStageOf(detector, folder)
  if (!manifest?.reavalia) return null
  const classifier = await createClassifier(manifest, { threads })
  classifiers.set(detector.tarefa, classifier)
  return { input: classifier.input, weights: new Map(Object.entries(manifest.reavalia.pesos)) }
}

async function rate({ number, tarefa, pictures }: ToModelWorker & { kind: 'rate' }): Promise<void> {
  try {
    const classifier = classifiers.get(tarefa)
    if (!classifier) throw new Error(`no second stage for ${tarefa}`)
    const ratings = []
    for (const picture of pictures) ratings.push(await classifier.classify(picture))
    send({ kind: 'rated', number, ratings })
  } catch (error) {
    send({ kind: 'failed', number, reason: String(error) })
  }
}

async function detect({ number, tarefa, pictures, options }: ToModelWorker & { kind: 'detect' }): Promise<void> {
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

/** The thread ends by itself when no work is pending. `terminate` during a run would abort the whole process. */
async function close(): Promise<void> {
  port.close()
  for (const model of [...detectors.values(), ...classifiers.values()]) await model.close()
}

let last: Promise<void> = Promise.resolve()
port.on('message', (message: ToModelWorker) => {
  last = last.then(() => {
    if (message.kind === 'load') return load(message.tarefa)
    if (message.kind === 'rate') return rate(message)
    return message.kind === 'detect' ? detect(message) : close()
  })
})
