import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { Fontes } from '@vigia/contracts/edge-state'
import type {
  DiscoGravacao,
  GravacaoRelatada,
  MotivoSemGravacao,
  TipoDisco,
  TrechoApagado,
} from '@vigia/contracts/gravacao-continua'
import type { Logger } from 'pino'
import type { Supervisor } from '../supervisor/supervisor.ts'
import { type CameraWriter, createCameraWriter } from './camera-writer.ts'
import { claimFolder } from './claim-folder.ts'
import { diskKind } from './disk-kind.ts'
import { createMinuteFiles, type MinuteFile, type MinuteFiles } from './minute-files.ts'

/** A camera that is to be recorded. */
export interface RecordedCamera {
  readonly id: number
  /** null: inactive, or unreadable. */
  readonly fontes: Fontes | null
  readonly isMasked: boolean
  /** Parts to delete, edge clock in epoch ms. */
  readonly erased?: readonly TrechoApagado[]
}

/** Continuous recording of sub streams on the disk of the edge. */
export interface Continuous {
  /** Sets the cameras to record. The recordings of all other cameras, and of masked ones, are deleted. */
  apply(cameras: readonly RecordedCamera[], budgetBytes: number): void
  /** null: the camera is not to be recorded. */
  report(cameraId: number): GravacaoRelatada | null
  disk(): DiscoGravacao
  readonly files: Pick<MinuteFiles, 'list' | 'read'>
  start(): Promise<void>
  /** Completes the files that grow. */
  stop(): Promise<void>
}

export interface ContinuousOptions {
  readonly folder: string
  /** Recordings of another owner in the folder are deleted. */
  readonly owner: string
  readonly stream: Supervisor['stream']
  /** Free space to leave on the disk. Larger than that of clips, so that recordings give way before them. */
  readonly reserveBytes: number
  /** null: unknown. */
  freeBytes(): number | null
  readonly log: Logger
  /** Replaces the detection in tests. */
  readonly kind?: TipoDisco
  readonly retryMs?: number
}

/** One part is mostly one keyframe interval. A killed process loses the current part. */
export const PART_MS = 2_000
/** A power cut loses at most this much more. */
const SYNC_MS = 10_000
const RETRY_MS = 15_000
const MB = 1_000_000

interface Running {
  readonly source: string
  readonly writer: CameraWriter
  /** Ends the stream. */
  stop(): void
}

export function createContinuous(options: ContinuousOptions): Continuous {
  const { folder, stream, log, reserveBytes, freeBytes, retryMs = RETRY_MS } = options
  const files = createMinuteFiles(folder)
  const running = new Map<number, Running>()
  const motives = new Map<number, MotivoSemGravacao>()
  const timers = new Set<NodeJS.Timeout>()
  let cameras: readonly RecordedCamera[] | null = null
  let budgetBytes = 0
  let kind: TipoDisco = options.kind ?? 'desconhecido'
  let isStarted = false
  let isStopping = false
  let deletion: Promise<unknown> = Promise.resolve()
  let removals: Promise<unknown> = Promise.resolve()

  const isShort = () => {
    const free = freeBytes()
    return files.bytes > budgetBytes || (free !== null && free < reserveBytes)
  }

  /** The camera with the largest recordings gives way, so that each camera has an equal share of the disk. */
  const prune = async (): Promise<boolean> => {
    while (isShort()) {
      const [largest] = files.cameras().toSorted((a, b) => files.bytesOf(b) - files.bytesOf(a))
      if (largest === undefined || !(await files.removeOldest(largest))) return false
    }
    return true
  }

  /** Deletions follow one another: two of them must not count the same bytes. */
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = deletion.then(step)
    deletion = done.catch(() => {})
    return done
  }
  const freeSpace = () => inTurn(prune)

  const reasonAgainst = ({ fontes, isMasked }: RecordedCamera): MotivoSemGravacao | null => {
    if (isMasked) return 'mascara'
    if (kind === 'cartao') return 'disco_cartao'
    if (fontes === null) return 'inativa'
    return fontes.sub_rtsp_url === null ? 'sem_subfluxo' : null
  }

  const end = async (cameraId: number) => {
    const recording = running.get(cameraId)
    running.delete(cameraId)
    recording?.stop()
    await recording?.writer.end()
  }

  const finish = (cameraId: number) => {
    end(cameraId).catch((err: unknown) => log.error({ err, camera: cameraId }, 'a recording is not completed'))
  }

  const retryLater = () => {
    if (isStopping) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      reconcile()
    }, retryMs)
    timers.add(timer)
  }

  const interrupt = (cameraId: number, motivo: MotivoSemGravacao, by: Running) => {
    if (running.get(cameraId) !== by) return
    motives.set(cameraId, motivo)
    finish(cameraId)
    retryLater()
  }

  const begin = (cameraId: number, source: string) => {
    let hasVideo = false
    const writer = createCameraWriter({
      ...{ cameraId, files, freeSpace },
      onWritten() {
        if (hasVideo) motives.delete(cameraId)
      },
      onFailure(motivo, err) {
        if (motives.get(cameraId) !== motivo)
          log.error({ err, camera: cameraId, motivo }, 'continuous recording stopped')
        interrupt(cameraId, motivo, recording)
      },
    })
    let stopStream = () => {}
    const recording: Running = { source, writer, stop: () => stopStream() }
    running.set(cameraId, recording)
    if (!motives.has(cameraId)) motives.set(cameraId, 'sem_video')
    stopStream = stream(
      { id: randomUUID(), cameraId, fluxo: 'secundario', partMs: PART_MS, onlyShared: true },
      {
        onRecord(registro) {
          hasVideo = registro.tipo === 'parte'
          if (registro.tipo === 'lacuna') motives.set(cameraId, 'sem_video')
          writer.add(registro)
        },
        onEnded: () => interrupt(cameraId, 'sem_video', recording),
      },
    )
  }

  /** Brings what runs and what is on the disk in line with the wanted cameras. */
  function reconcile(): void {
    if (!isStarted || isStopping || cameras === null) return
    const wanted = new Map(cameras.map((camera) => [camera.id, camera]))
    for (const id of [...running.keys(), ...files.cameras()]) if (wanted.get(id)?.isMasked ?? true) remove(id)
    for (const camera of cameras) {
      if (camera.erased?.length) erase(camera)
      const motivo = reasonAgainst(camera)
      const source = JSON.stringify(camera.fontes)
      const before = running.get(camera.id)
      if (before && (motivo !== null || before.source !== source)) finish(camera.id)
      if (motivo !== null) motives.set(camera.id, motivo)
      else if (running.get(camera.id) === undefined) begin(camera.id, source)
    }
  }

  /** Deletes the files with pictures of the erased parts, so up to a minute more on both sides. */
  const erase = ({ id, erased = [] }: RecordedCamera) => {
    const isErased = ({ startMs, durationMs }: MinuteFile) =>
      erased.some(({ de, ate }) => startMs < ate && startMs + durationMs > de)
    const last = files.list(id).at(-1)
    const ended = last && isErased(last) ? end(id) : Promise.resolve()
    const removal = ended
      .then(() => inTurn(() => files.removeWhere(id, isErased)))
      .catch((err: unknown) => {
        log.error({ err, camera: id }, 'erased recordings are not deleted')
        retryLater()
      })
    removals = Promise.all([removals, removal])
  }

  const remove = (cameraId: number) => {
    motives.delete(cameraId)
    const removal = end(cameraId)
      .then(() => inTurn(() => files.removeCamera(cameraId)))
      .catch((err: unknown) => {
        log.error({ err, camera: cameraId }, 'recordings of a camera are not deleted')
        retryLater()
      })
    removals = Promise.all([removals, removal])
  }

  return {
    apply(next, bytes) {
      cameras = next
      budgetBytes = bytes
      reconcile()
      if (isStarted) freeSpace().catch((err: unknown) => log.error({ err }, 'old recordings are not deleted'))
    },
    report(cameraId) {
      if (!cameras?.some(({ id }) => id === cameraId)) return null
      const held = files.list(cameraId)
      const [first, last] = [held[0], held.at(-1)]
      return {
        motivo: motives.get(cameraId) ?? null,
        de: first?.startMs ?? null,
        ate: last ? Math.round(last.startMs + last.durationMs) : null,
        mb: Math.round(files.bytesOf(cameraId) / MB),
      }
    },
    disk: () => ({ tipo: kind, mb: Math.round(files.bytes / MB), orcamento_mb: Math.round(budgetBytes / MB) }),
    files,
    async start() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        kind = options.kind ?? diskKind(folder)
        await claimFolder(folder, options.owner)
        await files.restore()
      } catch (err) {
        log.error({ err }, 'recordings on the disk are not readable')
      }
      isStarted = true
      const sync = setInterval(() => {
        for (const { writer } of running.values()) writer.sync()
      }, SYNC_MS)
      timers.add(sync)
      reconcile()
    },
    async stop() {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([...running.keys()].map(end))
      await removals
    },
  }
}
