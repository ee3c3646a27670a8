import { randomUUID } from 'node:crypto'
import type { MotivoSemGravacao } from '@vigia/contracts/gravacao-continua'
import { type CameraWriter, type CameraWriterOptions, createCameraWriter } from './camera-writer.ts'
import type { ContinuousOptions } from './continuous-options.ts'

/** The recordings that run, and the reason why a camera has none. */
export interface RunningRecordings {
  /** Identifies the addresses that a recording reads; undefined: none runs. */
  sourceOf(cameraId: number): string | undefined
  cameras(): readonly number[]
  begin(cameraId: number, source: string): void
  /** Resolves when the current file is complete. */
  end(cameraId: number): Promise<void>
  /** As `end`, and logs a failure. */
  finish(cameraId: number): void
  sync(): void
  /** Why a camera is not recorded; undefined: it is. */
  readonly motives: Map<number, MotivoSemGravacao>
}

interface RunningRecordingsOptions
  extends Pick<ContinuousOptions, 'stream' | 'log'>,
    Pick<CameraWriterOptions, 'files' | 'freeSpace'> {
  /** A recording has ended by itself. */
  onInterrupted(): void
}

interface Running {
  readonly source: string
  readonly writer: CameraWriter
  /** Ends the stream. */
  stop(): void
}

/** One part is mostly one keyframe interval. A killed process loses the current part. */
export const PART_MS = 2_000

export function createRunningRecordings(options: RunningRecordingsOptions): RunningRecordings {
  const { files, freeSpace, stream, log } = options
  const running = new Map<number, Running>()
  const motives = new Map<number, MotivoSemGravacao>()

  const end = async (cameraId: number) => {
    const recording = running.get(cameraId)
    running.delete(cameraId)
    recording?.stop()
    await recording?.writer.end()
  }

  const finish = (cameraId: number) => {
    end(cameraId).catch((err: unknown) => log.error({ err, camera: cameraId }, 'a recording is not completed'))
  }

  const interrupt = (cameraId: number, motivo: MotivoSemGravacao, by: Running) => {
    if (running.get(cameraId) !== by) return
    motives.set(cameraId, motivo)
    finish(cameraId)
    options.onInterrupted()
  }

  return {
    sourceOf: (cameraId) => running.get(cameraId)?.source,
    cameras: () => [...running.keys()],
    begin(cameraId, source) {
      let hasVideo = false
      const writer = createCameraWriter({
        cameraId,
        files,
        freeSpace,
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
    },
    end,
    finish,
    sync() {
      for (const { writer } of running.values()) writer.sync()
    },
    motives,
  }
}
