// First import: its variable must be in the environment of the process before the worker loads onnxruntime. A native
// library does not see the worker's `process.env`, which is a copy.
import './no-telemetry.ts'
import { isMarkedAsUntransferable, Worker } from 'node:worker_threads'
import type { Detection } from '@vigia/ias/detection'
import type { DetectOptions } from './detector.ts'
import type { TarefaVisao } from './manifest.ts'
import type { FromModelWorker, LoadedModel, ModelWorkerSettings, Rating, ToModelWorker } from './model-protocol.ts'

export type { TarefaVisao } from './manifest.ts'
export type { LoadedModel, Rating } from './model-protocol.ts'

export interface ModelState {
  readonly tarefa: TarefaVisao
  /** Id of the model; null while it is unknown. */
  readonly id: string | null
  readonly estado: 'carregando' | 'pronto' | 'indisponivel'
  /** `indisponivel`: one Portuguese line with instructions. `pronto`: why a faster version is not used. */
  readonly motivo: string | null
  /** Labels of the model; empty unless `pronto`. */
  readonly rotulos: readonly string[]
}

export interface ModelRunner {
  /** Loads the models of these tasks, unless loaded before. Other models are not loaded. */
  need(tarefas: ReadonlySet<TarefaVisao>): void
  /** null: not requested, still loading, or unusable. */
  model(tarefa: TarefaVisao): LoadedModel | null
  /**
   * Detections of each picture, most confident first; boxes are fractions of the picture. A picture with its own buffer
   * is transferred to the worker, and its array is empty afterwards. Runs execute in the order of the calls. Rejects
   * with RangeError for a picture of another size and with Error for an unusable model.
   */
  detect(tarefa: TarefaVisao, pictures: readonly Uint8Array[], options: DetectOptions): Promise<Detection[][]>
  /**
   * Probabilities of the second stage for each crop (rescoring.ts), in the size of its input. Transfers pictures,
   * orders runs and rejects as `detect`.
   */
  rate(tarefa: TarefaVisao, pictures: readonly Uint8Array[]): Promise<Rating[]>
  /** States of the requested tasks. */
  states(): readonly ModelState[]
  /** Waits for earlier calls, frees the models and ends the worker. Must be awaited before the process exits. */
  close(): Promise<void>
}

export interface ModelRunnerOptions {
  /**
   * Folder of manifests (`*.json`) and models, which replace the built-in ones of their tasks; null: only built-in
   * ones.
   */
  readonly folder: string | null
  /** Threads per run; default: 1. */
  readonly threads?: number
  /** Called when a model becomes ready or unusable. */
  onChange(): void
  /** The worker died with all models: the process must restart. Called at most once, never after `close`. */
  onBroken(error: unknown): void
}

/** Answers of the worker to the two kinds of runs. */
interface Waiting {
  seen(found: Detection[][]): void
  rated(ratings: Rating[]): void
  reject(error: unknown): void
}

const never = (): never => {
  throw new Error('the vision worker answered another question')
}

/**
 * The models of this process in their own thread: a run blocks its thread, and the caller's thread reads streams. The
 * thread starts with the first needed model.
 */
export function createModelRunner({ folder, threads = 1, onChange, onBroken }: ModelRunnerOptions): ModelRunner {
  const states = new Map<TarefaVisao, ModelState>()
  const models = new Map<TarefaVisao, LoadedModel>()
  const calls = createCalls()
  let running: { worker: Worker; exited: Promise<void> } | null = null
  let closing: Promise<void> | null = null
  let broken: Error | null = null

  function start() {
    const workerData: ModelWorkerSettings = { folder, threads }
    const worker = new Worker(new URL('./model-worker.ts', import.meta.url), { workerData, name: 'visao' })
    const { promise: exited, resolve } = Promise.withResolvers<void>()
    worker.on('message', receive)
    worker.on('error', fail)
    worker.on('exit', (code) => {
      if (!closing || calls.count() > 0) fail(new Error(`the vision worker ended with code ${code}`))
      resolve()
    })
    return { worker, exited }
  }

  function send(message: ToModelWorker, transfer: ArrayBuffer[] = []): void {
    running ??= start()
    running.worker.postMessage(message, transfer)
  }

  function receive(message: FromModelWorker): void {
    if (message.kind === 'ready' || message.kind === 'unusable') {
      const { tarefa } = message
      if (message.kind === 'ready') {
        models.set(tarefa, message.model)
        const { id, labels, aviso } = message.model
        states.set(tarefa, { tarefa, id, estado: 'pronto', motivo: aviso, rotulos: [...labels] })
      } else {
        const { id, motivo } = message
        states.set(tarefa, { tarefa, id, estado: 'indisponivel', motivo, rotulos: [] })
      }
      onChange()
      return
    }
    calls.answer(message)
  }

  /** An uncaught error causes `error` and then `exit`: the first one counts. */
  function fail(error: unknown): void {
    if (broken) return
    broken = new Error('the vision worker died', { cause: error })
    models.clear()
    const motivo = 'O leitor de modelos parou de repente e será iniciado de novo.'
    for (const state of states.values())
      states.set(state.tarefa, { ...state, estado: 'indisponivel', motivo, rotulos: [] })
    calls.rejectAll(broken)
    if (!closing) onBroken(error)
  }

  function usable(tarefa: TarefaVisao): LoadedModel {
    if (broken) throw broken
    if (closing !== null) throw new Error('the vision worker is closed')
    const model = models.get(tarefa)
    if (!model) throw new Error(`no usable model for ${tarefa}`)
    return model
  }

  return {
    need(tarefas) {
      if (closing || broken) return
      for (const tarefa of tarefas) {
        if (states.has(tarefa)) continue
        states.set(tarefa, { tarefa, id: null, estado: 'carregando', motivo: null, rotulos: [] })
        send({ kind: 'load', tarefa })
      }
    },
    model: (tarefa) => models.get(tarefa) ?? null,
    async detect(tarefa, pictures, options) {
      const model = usable(tarefa)
      checkSizes(model.id, model.input, pictures)
      return new Promise<Detection[][]>((seen, reject) => {
        calls.begin({ seen, rated: never, reject }, (number) =>
          send({ kind: 'detect', number, tarefa, pictures, options }, transferable(pictures)),
        )
      })
    },
    async rate(tarefa, pictures) {
      const { id, second } = usable(tarefa)
      if (!second) throw new Error(`no second stage for ${tarefa}`)
      checkSizes(id, second.input, pictures)
      return new Promise<Rating[]>((rated, reject) => {
        calls.begin({ seen: never, rated, reject }, (number) =>
          send({ kind: 'rate', number, tarefa, pictures }, transferable(pictures)),
        )
      })
    },
    states: () => [...states.values()],
    close() {
      if (!closing) {
        closing = running ? running.exited : Promise.resolve()
        if (running && !broken) send({ kind: 'close' })
      }
      return closing
    },
  }
}

/** The runs whose answer the worker has not given yet. */
function createCalls() {
  const waiting = new Map<number, Waiting>()
  let lastNumber = 0
  return {
    count: () => waiting.size,
    /** `send` throws if the run cannot begin. */
    begin(call: Waiting, send: (number: number) => void): void {
      const number = ++lastNumber
      send(number)
      waiting.set(number, call)
    },
    answer(message: Exclude<FromModelWorker, { kind: 'ready' | 'unusable' }>): void {
      const call = waiting.get(message.number)
      waiting.delete(message.number)
      if (message.kind === 'seen') call?.seen(message.found)
      else if (message.kind === 'rated') call?.rated(message.ratings)
      else call?.reject(new Error(message.reason))
    },
    rejectAll(error: Error): void {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  }
}

function checkSizes(id: string, { width, height }: LoadedModel['input'], pictures: readonly Uint8Array[]): void {
  const size = width * height * 3
  for (const { length } of pictures) {
    if (length !== size) throw new RangeError(`${length} bytes of picture, ${id} needs ${size}`)
  }
}

/** A buffer with exactly one picture is transferred; other memory (part of a pool, shared memory) is copied. */
function transferable(pictures: readonly Uint8Array[]): ArrayBuffer[] {
  const own = pictures.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !isMarkedAsUntransferable(buffer)
      ? [buffer]
      : [],
  )
  return [...new Set(own)]
}
