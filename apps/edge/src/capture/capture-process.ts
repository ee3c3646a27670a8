import type { SavedState } from '@vigia/analysis/model'
import { createPlateReader } from '@vigia/analysis/plates/plate-reader'
import type { SpillSpace } from '@vigia/video/readers/spill'
import type { ModelRunner, ModelRunnerOptions } from '@vigia/vision/model-runner'
import { createTurns, type Turns } from '@vigia/vision/turns'
import type { Logger } from 'pino'
import {
  type CameraMessage,
  type CapturedCamera,
  createCapturedCamera,
  hasSameStream,
  type SharedCapture,
} from './captured-camera.ts'
import { createConnectionSlots } from './connection-slots.ts'
import { createFurtherStreams } from './further-streams.ts'
import { createLiveSources } from './live-sources.ts'
import { createLoadMeter, type LoadMeter } from './load-meter.ts'
import { BEAT_MS, type FromCapture, type ToCapture } from './protocol.ts'

export interface CaptureProcess {
  start(): void
  receive(message: ToCapture): void
  stop(): Promise<void>
}

export interface CaptureProcessOptions {
  readonly log: Logger
  /** Disk for groups of pictures beyond the memory of a camera; null: none. */
  readonly spill: SpillSpace | null
  send(message: FromCapture): void
  openModelRunner(events: Pick<ModelRunnerOptions, 'onChange' | 'onBroken'>): ModelRunner
  /** Called when the process cannot recover: it must end and be restarted. */
  fatal(reason: string, error?: unknown): void
}

/** Longer than every time limit of the reader, so that reaching it means that native code hangs. */
const HUNG_MS = 60_000

/** The cameras of one capture process. They share only the models, which they use in turns. */
export function createCaptureProcess(options: CaptureProcessOptions): CaptureProcess {
  const { log, send } = options
  const cameras = new Map<number, CapturedCamera>()
  const savedStates = createSavedStates()
  const slots = createSentSlots(send)
  const runner = options.openModelRunner({
    onChange: () => beat(),
    onBroken: (error) => options.fatal('the models are gone', error),
  })
  const streams = createFurtherStreams(slots)
  const live = createLiveSources({
    streams,
    log,
    rtspClient: (cameraId) => cameras.get(cameraId)?.rtspClient ?? 'own',
    onRecord: (id, registro) => send({ kind: 'record', id, registro }),
    onEnded: (id, falha, causa) => send({ kind: 'streamEnded', id, falha, ...(causa && { causa }) }),
  })
  const turns = createTurns()
  const shared: SharedCapture = {
    log,
    slots,
    runner,
    turns,
    streams,
    spill: options.spill,
    readPlates: createPlateReader((error) => log.error({ err: error }, 'plates cannot be read')),
    mainSlot: { busy: false },
    inTurn: createTurnQueue(),
    send,
    onChange: beat,
  }
  let meter: LoadMeter | null = null
  let timer: NodeJS.Timeout | null = null
  let stopping = false

  function beat() {
    if (stopping) return
    send({
      kind: 'beat',
      streams: [...cameras.values()].map(({ session }) => session.status()),
      models: runner.states(),
    })
  }

  const tick = () => {
    beat()
    saveStates()
    for (const [id, { session }] of cameras)
      if (session.silentMs() > HUNG_MS) options.fatal(`the reader of camera ${id} hangs`)
  }

  /** Saves the positions of alerted people: after a crash the same person must not raise a second event. */
  const saveStates = () => {
    const changed = savedStates.changed([...cameras.values()].flatMap(({ pipeline }) => pipeline.states()))
    if (changed.length > 0) send({ kind: 'states', states: changed })
  }

  const remove = async (cameraId: number) => {
    const camera = cameras.get(cameraId)
    cameras.delete(cameraId)
    camera?.close()
    await live.endAll(cameraId)
    await camera?.stop()
  }

  const take = (message: CameraMessage) => {
    const camera = cameras.get(message.task.id)
    if (camera && hasSameStream(camera.task, message.task)) return camera.change(message)
    // Everything that holds pictures begins anew, so that none from before the change leaves it.
    if (camera) {
      camera.coverClips(message.task)
      remove(message.task.id).catch((error) => options.fatal('stop failed', error))
    }
    cameras.set(message.task.id, createCapturedCamera(shared, message))
  }

  const takePicture = async ({ ticket, cameraId, request }: Extract<ToCapture, { kind: 'picture' }>) => {
    send({ kind: 'picture', ticket, picture: (await cameras.get(cameraId)?.picture(request)) ?? null })
  }

  return {
    start() {
      timer = setInterval(tick, BEAT_MS)
      meter = createLoadMeter(log, () => loadOf([...cameras.values()], turns))
      beat()
    },
    receive(message) {
      if (message.kind === 'camera') take(message)
      else if (message.kind === 'picture') void takePicture(message)
      else if (message.kind === 'stream') live.start(message.order, cameras.get(message.order.cameraId)?.live())
      else if (message.kind === 'endStream') live.end(message.id)
      else if (message.kind === 'restart') cameras.get(message.cameraId)?.session.restart()
      else if (message.kind === 'remove') remove(message.cameraId).catch((error) => options.fatal('stop failed', error))
      else if ('ticket' in message) slots.receive(message)
    },
    async stop() {
      saveStates()
      stopping = true
      if (timer) clearInterval(timer)
      meter?.stop()
      await Promise.all([...cameras.keys()].map(remove))
      await runner.close()
    },
  }
}

/** Slots that the main process grants. */
const createSentSlots = (send: CaptureProcessOptions['send']) =>
  createConnectionSlots({
    request: (ticket, host, use, login) => send({ kind: 'request', ticket, host, use, login }),
    opened: (ticket) => send({ kind: 'opened', ticket }),
    release: (ticket, end) => send({ kind: 'release', ticket, end }),
  })

/** The states of the analyses as they were sent last. */
function createSavedStates() {
  const saved = new Map<string, string>()
  return {
    /** The states that are not saved yet. They count as saved from now on. */
    changed: (states: readonly SavedState[]) =>
      states.filter(({ cameraId, ia, state }) => {
        const [key, text] = [`${cameraId} ${ia}`, JSON.stringify(state)]
        if (saved.get(key) === text) return false
        saved.set(key, text)
        return true
      }),
  }
}

/**
 * Counts since the previous line. `olhares`: inferences; `trocados`: frames replaced before their inference; `na_fila`:
 * frames that wait now.
 */
function loadOf(cameras: readonly CapturedCamera[], turns: Turns) {
  const counts = cameras.map(({ pipeline }) => pipeline.takeCounts())
  return {
    cameras: cameras.length,
    na_fila: turns.waiting(),
    quadros: counts.reduce((sum, { frames }) => sum + frames, 0),
    olhares: counts.reduce((sum, { inferences }) => sum + inferences, 0),
    trocados: counts.reduce((sum, { replaced }) => sum + replaced, 0),
  }
}

/** Runs asynchronous work one after another. A failure concerns its own caller only. */
function createTurnQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}
