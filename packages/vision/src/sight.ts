// First: what it sets must stand in the environment of the process before the worker loads onnxruntime. A worker's own
// `process.env` is a copy, which a native library does not see.
import './no-telemetry.ts'
import { isMarkedAsUntransferable, Worker } from 'node:worker_threads'
import type { Detection } from '@vigia/ias/detection'
import type { DetectOptions } from './detector.ts'
import type { TarefaVisao } from './manifest.ts'
import type { FromSightWorker, SightModel, SightSettings, ToSightWorker } from './sight-protocol.ts'

export type { TarefaVisao } from './manifest.ts'
export type { SightModel } from './sight-protocol.ts'

export interface ModelState {
  readonly tarefa: TarefaVisao
  /** Of the model; null as long as it is not known which one it is. */
  readonly id: string | null
  readonly estado: 'carregando' | 'pronto' | 'indisponivel'
  /** Why it is `indisponivel`: one Portuguese line that says what to do. */
  readonly motivo: string | null
  /** What it can see; empty unless `pronto`. */
  readonly rotulos: readonly string[]
}

export interface Sight {
  /** Loads the models of these tasks that were not asked for yet. What nobody asks for is not loaded. */
  need(tarefas: ReadonlySet<TarefaVisao>): void
  /** null: not asked for, still loading, or unusable. */
  model(tarefa: TarefaVisao): SightModel | null
  /**
   * One result for each picture, most confident first; boxes in fractions of the picture. The pictures are given away: their memory
   * moves to the worker where it can (a buffer of its own), and the array is empty afterwards. Runs are done one after the other in
   * the order of the calls. Rejects with RangeError for a picture of another size, and with Error when the model is not usable.
   */
  detect(tarefa: TarefaVisao, pictures: readonly Uint8Array[], options: DetectOptions): Promise<Detection[][]>
  /** Of the tasks that were asked for. */
  states(): readonly ModelState[]
  /** Waits for what was asked before, frees the models and ends the worker. Await it before the process exits. */
  close(): Promise<void>
}

export interface SightOptions {
  /** Manifests (`*.json`) with their models, which take the place of the built-in ones of their tasks; null: the built-in ones only. */
  readonly folder: string | null
  /** Threads of one run; 1 when left out. */
  readonly threads?: number
  /** A model became ready or turned out to be unusable. */
  onChange(): void
  /** The worker died, and with it every model: the process must be started anew. Called once, never after `close`. */
  onBroken(error: unknown): void
}

interface Waiting {
  resolve(found: Detection[][]): void
  reject(error: unknown): void
}

/**
 * The models of this process, in a thread of their own: a run holds its thread from beginning to end, and the one of the caller has
 * streams to read. The thread is started with the first model that is needed.
 */
export function createSight({ folder, threads = 1, onChange, onBroken }: SightOptions): Sight {
  const states = new Map<TarefaVisao, ModelState>()
  const models = new Map<TarefaVisao, SightModel>()
  const waiting = new Map<number, Waiting>()
  let running: { worker: Worker; exited: Promise<void> } | null = null
  let closing: Promise<void> | null = null
  let broken: Error | null = null
  let lastNumber = 0

  function start() {
    const workerData: SightSettings = { folder, threads }
    const worker = new Worker(new URL('./sight-worker.ts', import.meta.url), { workerData, name: 'visao' })
    const { promise: exited, resolve } = Promise.withResolvers<void>()
    worker.on('message', receive)
    worker.on('error', fail)
    worker.on('exit', (code) => {
      if (!closing || waiting.size > 0) fail(new Error(`the vision worker ended with code ${code}`))
      resolve()
    })
    return { worker, exited }
  }

  function send(message: ToSightWorker, transfer: ArrayBuffer[] = []): void {
    running ??= start()
    running.worker.postMessage(message, transfer)
  }

  function receive(message: FromSightWorker): void {
    if (message.kind === 'ready' || message.kind === 'unusable') {
      const { tarefa } = message
      if (message.kind === 'ready') {
        models.set(tarefa, message.model)
        const { id, labels } = message.model
        states.set(tarefa, { tarefa, id, estado: 'pronto', motivo: null, rotulos: [...labels] })
      } else {
        const { id, motivo } = message
        states.set(tarefa, { tarefa, id, estado: 'indisponivel', motivo, rotulos: [] })
      }
      onChange()
      return
    }
    const call = waiting.get(message.number)
    waiting.delete(message.number)
    if (message.kind === 'seen') call?.resolve(message.found)
    else call?.reject(new Error(message.reason))
  }

  /** An uncaught error comes as `error` and then as `exit`: the first one counts. */
  function fail(error: unknown): void {
    if (broken) return
    broken = new Error('the vision worker died', { cause: error })
    models.clear()
    const motivo = 'O leitor de modelos parou de repente e será iniciado de novo.'
    for (const state of states.values())
      states.set(state.tarefa, { ...state, estado: 'indisponivel', motivo, rotulos: [] })
    for (const { reject } of waiting.values()) reject(broken)
    waiting.clear()
    if (!closing) onBroken(error)
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
      if (broken) throw broken
      if (closing !== null) throw new Error('the vision worker is closed')
      const model = models.get(tarefa)
      if (!model) throw new Error(`no usable model for ${tarefa}`)
      const size = model.input.width * model.input.height * 3
      for (const { length } of pictures) {
        if (length !== size) throw new RangeError(`${length} bytes of picture, ${model.id} wants ${size}`)
      }
      const number = ++lastNumber
      return new Promise<Detection[][]>((resolve, reject) => {
        send({ kind: 'detect', number, tarefa, pictures, options }, transferable(pictures))
        waiting.set(number, { resolve, reject })
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

/** Memory that holds one picture and nothing else can change hands; anything else (a part of a pool, shared memory) is copied. */
function transferable(pictures: readonly Uint8Array[]): ArrayBuffer[] {
  const own = pictures.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !isMarkedAsUntransferable(buffer)
      ? [buffer]
      : [],
  )
  return [...new Set(own)]
}
