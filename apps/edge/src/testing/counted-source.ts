import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { CameraTask, EvidencePicture, SeenDiscard, SeenEvent } from '@vigia/analysis/model'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { writeWhole } from '@vigia/testing/write-whole'
import type { SeenClip } from '../capture/model.ts'
import type { Supervisor, SupervisorOptions } from '../supervisor/supervisor.ts'
import { readsNothing } from '../supervisor/testing/idle.ts'

/** Settings of the count, read again at each tick, so that changes apply and a restarted program uses them. */
export interface CountControl {
  /** Transactions a second of each camera; 0: none. */
  readonly rate: number
  /** Events per transaction. */
  readonly together: number
  /** Last number of each camera. */
  readonly upTo: number
  /** Size of each event's picture; 0: no picture. */
  readonly pictureBytes: number
  /** Path of a picture for each event, and the box of its object; absent: a blank picture of `pictureBytes`. */
  readonly scene?: { readonly picture: string; readonly caixa: SeenEvent['candidate']['caixas'][number] }
  /** Size of each of the two further pictures of each event; absent or 0: none. */
  readonly evidenceBytes?: number
  /** Size of the picture of one discarded candidate per event; absent or 0: none. */
  readonly discardBytes?: number
  /** Size of the clip of each transaction; absent or 0: none. Every fifth transaction has none, with a reason. */
  readonly clipBytes?: number
  /** Largest number of events of each camera until `round` changes; absent: unlimited. */
  readonly most?: number
  readonly round?: number
  /** Edge wall clock minus machine clock. */
  readonly clockMs: number
}

export function readControl(file: string): CountControl {
  return JSON.parse(readFileSync(file, 'utf8'))
}

const TICK_MS = 50
/** From an event to its clip. */
const CLIP_AFTER_MS = 300
/** A late tick catches up at most this many transactions of one camera. */
const MOST_AT_ONCE = 100

/**
 * Replaces the capture processes: produces events without cameras, each with its number (`k12` among the labels). The
 * number is the state of the analysis, written with the event in one transaction. A restarted program continues after
 * the last stored number, so that exactly the numbers up to it were produced.
 */
export function createCountedSource(control: string, options: SupervisorOptions): Supervisor {
  const { states, onEvents, onEvidence, onDiscard, onClip, onNoClip } = options
  let tasks: readonly CameraTask[] = []
  const counts = new Map<number, number>()
  const clips = new Set<NodeJS.Timeout>()
  /** Events of each camera in this round. */
  const made = new Map<number, number>()
  let round: number | undefined
  let dueAt = performance.now()

  const produce = (cameraId: number, wanted: CountControl) => {
    const { upTo, together, evidenceBytes = 0, discardBytes = 0, clipBytes = 0 } = wanted
    const { most = Number.MAX_SAFE_INTEGER } = wanted
    const known = counts.get(cameraId) ?? savedCount(states(cameraId).invasao)
    const before = made.get(cameraId) ?? 0
    const reached = Math.min(known + Math.min(together, most - before), upTo)
    if (reached <= known) return
    made.set(cameraId, before + reached - known)
    counts.set(cameraId, reached)
    const events = Array.from({ length: reached - known }, (_, index) => counted(cameraId, known + 1 + index, wanted))
    if (clipBytes === 0) onEvents(events, { k: reached })
    else {
      const refs = events.map(() => randomUUID())
      onEvents(
        events.map((event, i) => ({ ...event, clipRef: refs[i] ?? '' })),
        { k: reached },
      )
      const deliver = () =>
        reached % 5 === 0 ? onNoClip(refs, 'sem_quadros') : onClip(clipOf(cameraId, refs, clipBytes))
      clips.add(setTimeout(deliver, CLIP_AFTER_MS))
    }
    for (const { ref } of evidenceBytes === 0 ? [] : events)
      if (ref !== undefined) onEvidence({ ref, cameraId, pictures: further(ref, evidenceBytes) })
    for (const { ref } of discardBytes === 0 ? [] : events) onDiscard(discarded(cameraId, `${ref}`, discardBytes))
  }

  let notified = false
  let paused = false
  /**
   * Signals the end of the count to a test, which cannot open the outbox while it is in use. With a rate of 0 it writes
   * the number of events that were made.
   */
  const notify = ({ rate, upTo }: CountControl) => {
    const total = tasks.reduce((sum, { id }) => sum + (counts.get(id) ?? savedCount(states(id).invasao)), 0)
    if (rate === 0 && tasks.length > 0 && !paused) writeWhole(`${control}.parado`, String(total))
    paused = rate === 0 && tasks.length > 0
    const done = tasks.length > 0 && tasks.every(({ id }) => counts.get(id) === upTo)
    if (done && !notified) writeFileSync(`${control}.completo`, '')
    notified = done
  }

  const timer = setInterval(() => {
    const wanted = readControl(control)
    const now = performance.now()
    if (wanted.rate === 0) dueAt = now
    if (wanted.round !== round) made.clear()
    round = wanted.round
    const stepMs = 1000 / wanted.rate
    for (let times = 0; dueAt < now && times < MOST_AT_ONCE; times++, dueAt += stepMs)
      for (const { id } of tasks) produce(id, wanted)
    if (dueAt < now) dueAt = now
    notify(wanted)
  }, TICK_MS)

  return {
    apply: (next) => {
      tasks = next
    },
    ...readsNothing,
    async stop() {
      clearInterval(timer)
      for (const clip of clips) clearTimeout(clip)
    },
  }
}

function clipOf(cameraId: number, refs: readonly string[], bytes: number): SeenClip {
  const data = randomBytes(bytes)
  return {
    cameraId,
    data,
    sha256: createHash('sha256').update(data).digest('hex'),
    strip: null,
    events: refs.map((ref) => ({ ref, offsetMs: 5000 })),
    startedAt: Date.now(),
    durationMs: 10_000,
    codec: 'h264',
    codecs: 'avc1.4d401f',
    width: 16,
    height: 16,
  }
}

const savedCount = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'k' in state && typeof state.k === 'number' ? state.k : 0

function counted(cameraId: number, k: number, { pictureBytes, scene }: CountControl): SeenEvent {
  const mark = `camera ${cameraId} k ${k} `
  return {
    ref: `${cameraId}-${k}`,
    candidate: {
      camera_id: cameraId,
      ia: 'invasao',
      ocorrido_em: Date.now(),
      confianca: 0.9,
      rotulos: [`k${k}`, ...(pictureBytes === 0 ? ['sem imagem'] : [])],
      caixas: scene ? [scene.caixa] : [],
      zona: null,
      quadro: { largura: 16, altura: 16 },
      calibracao: {},
      modelo: 'contador',
      detalhes: {},
    },
    media: scene ? picturesOf(scene.picture) : blankPicture(pictureBytes, mark),
  }
}

const picturesOf = (file: string): SeenEvent['media'] => {
  const bytes = readFileSync(file)
  return [
    { papel: 'crop', bytes },
    { papel: 'quadro', bytes },
  ]
}

const blankPicture = (size: number, mark: string): SeenEvent['media'] =>
  size === 0 ? [] : [{ papel: 'crop', bytes: blankJpeg(size, mark) }]

const further = (ref: string, bytes: number): EvidencePicture[] =>
  [-600, 600].map((dt_ms) => ({
    fonte: 'sub',
    dt_ms,
    redetectada: true,
    caixas: [{ rotulo: 'person', confianca: 0.9, x: 0.3, y: 0.3, w: 0.3, h: 0.3 }],
    jpeg: blankJpeg(bytes, `further ${ref} ${dt_ms} `),
  }))

const discarded = (camera_id: number, trilha: string, bytes: number): SeenDiscard => ({
  camera_id,
  ia: 'invasao',
  ocorrido_em: Date.now(),
  motivo: 'conf',
  trilha,
  visita: trilha,
  disparou_ms: null,
  completo: true,
  confianca: 0.4,
  omitidos: 0,
  calibracao: {},
  trajeto: [],
  caixa: { rotulo: 'person', confianca: 0.4, x: 0.3, y: 0.3, w: 0.3, h: 0.3 },
  marcas: [[0, 0.4, 0.09, 0]],
  jpeg: blankJpeg(bytes, `discarded ${trilha} `),
})
