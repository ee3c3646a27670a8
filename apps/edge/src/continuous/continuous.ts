import { mkdir } from 'node:fs/promises'
import type { DiscoGravacao, GravacaoRelatada, MotivoSemGravacao, TipoDisco } from '@vigia/contracts/gravacao-continua'
import { claimFolder } from './claim-folder.ts'
import type { ContinuousOptions, RecordedCamera } from './continuous-options.ts'
import { createDeletions } from './deletions.ts'
import { diskKind } from './disk-kind.ts'
import { createDiskShare } from './disk-share.ts'
import { createMinuteFiles, type MinuteFiles } from './minute-files.ts'
import { createRunningRecordings } from './running-recordings.ts'

/** Continuous recording of sub streams on the disk of the edge. */
export interface Continuous {
  /** Sets the cameras to record. The recordings of all other cameras, and of masked ones, are deleted. */
  apply(cameras: readonly RecordedCamera[], budgetBytes: number): void
  /** null: the camera is not to be recorded. */
  report(cameraId: number): GravacaoRelatada | null
  disk(): DiscoGravacao
  readonly files: Pick<MinuteFiles, 'list' | 'read'>
  /** Gives the recordings of an unknown time their right times, once it is known. */
  correct(): void
  start(): Promise<void>
  /** Completes the files that grow. */
  stop(): Promise<void>
}

/** A power cut loses at most this much more. */
const SYNC_MS = 10_000
const RETRY_MS = 15_000
const MB = 1_000_000

export function createContinuous(options: ContinuousOptions): Continuous {
  const { folder, stream, log, reserveBytes, freeBytes, retryMs = RETRY_MS } = options
  const files = createMinuteFiles(folder, options.times)
  const share = createDiskShare({ files, reserveBytes, freeBytes })
  const { freeSpace } = share
  const recordings = createRunningRecordings({ files, freeSpace, stream, log, onInterrupted: retryLater })
  const deletions = createDeletions({ files, recordings, share, log, onFailed: retryLater })
  const { motives } = recordings
  const timers = new Set<NodeJS.Timeout>()
  let cameras: readonly RecordedCamera[] | null = null
  let kind: TipoDisco = options.kind ?? 'desconhecido'
  let isStarted = false
  let isStopping = false

  const reasonAgainst = ({ fontes, isMasked }: RecordedCamera): MotivoSemGravacao | null => {
    if (isMasked) return 'mascara'
    if (kind === 'cartao') return 'disco_cartao'
    if (fontes === null) return 'inativa'
    return fontes.sub_rtsp_url === null ? 'sem_subfluxo' : null
  }

  function retryLater() {
    if (isStopping) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      reconcile()
    }, retryMs)
    timers.add(timer)
  }

  /** Deletions by time follow, because they may concern a corrected file. */
  function correct() {
    if (!isStarted || isStopping) return
    share
      .inTurn(files.correct)
      .then(reconcile)
      .catch((err: unknown) => log.error({ err }, 'times of recordings are not corrected'))
  }

  /** Brings what runs and what is on the disk in line with the wanted cameras. */
  function reconcile(): void {
    if (!isStarted || isStopping || cameras === null) return
    const wanted = new Map(cameras.map((camera) => [camera.id, camera]))
    for (const id of [...recordings.cameras(), ...files.cameras()])
      if (wanted.get(id)?.isMasked ?? true) deletions.remove(id)
    for (const camera of cameras) {
      if (camera.erased?.length) deletions.erase(camera)
      const motivo = reasonAgainst(camera)
      const source = JSON.stringify(camera.fontes)
      const before = recordings.sourceOf(camera.id)
      if (before !== undefined && (motivo !== null || before !== source)) recordings.finish(camera.id)
      if (motivo !== null) motives.set(camera.id, motivo)
      else if (recordings.sourceOf(camera.id) === undefined) recordings.begin(camera.id, source)
    }
  }

  return {
    apply(next, bytes) {
      cameras = next
      share.limit(bytes)
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
    disk: () => ({ tipo: kind, mb: Math.round(files.bytes / MB), orcamento_mb: Math.round(share.budgetBytes / MB) }),
    files,
    correct,
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
      const sync = setInterval(recordings.sync, SYNC_MS)
      timers.add(sync)
      correct()
      reconcile()
    },
    async stop() {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(recordings.cameras().map(recordings.end))
      await deletions.idle()
    },
  }
}
