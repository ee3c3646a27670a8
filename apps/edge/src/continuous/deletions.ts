import type { Logger } from 'pino'
import type { RecordedCamera } from './continuous-options.ts'
import type { DiskShare } from './disk-share.ts'
import type { MinuteFile, MinuteFiles } from './minute-files.ts'
import type { RunningRecordings } from './running-recordings.ts'

/** The deletions that the configuration demands. */
export interface Deletions {
  /** Deletes the files with pictures of the erased parts, so up to a minute more on both sides. */
  erase(camera: RecordedCamera): void
  /** Deletes all recordings of a camera. */
  remove(cameraId: number): void
  /** Settles when no deletion runs. */
  idle(): Promise<unknown>
}

interface DeletionsOptions {
  readonly files: MinuteFiles
  readonly recordings: RunningRecordings
  readonly share: DiskShare
  readonly log: Logger
  onFailed(): void
}

export function createDeletions({ files, recordings, share, log, onFailed }: DeletionsOptions): Deletions {
  let removals: Promise<unknown> = Promise.resolve()

  return {
    erase({ id, erased = [] }) {
      const isErased = ({ startMs, durationMs }: MinuteFile) =>
        erased.some(({ de, ate }) => startMs < ate && startMs + durationMs > de)
      const last = files.list(id).at(-1)
      const ended = last && isErased(last) ? recordings.end(id) : Promise.resolve()
      const removal = ended
        .then(() => share.inTurn(() => files.removeWhere(id, isErased)))
        .catch((err: unknown) => {
          log.error({ err, camera: id }, 'erased recordings are not deleted')
          onFailed()
        })
      removals = Promise.all([removals, removal])
    },
    remove(cameraId) {
      recordings.motives.delete(cameraId)
      const removal = recordings
        .end(cameraId)
        .then(() => share.inTurn(() => files.removeCamera(cameraId)))
        .catch((err: unknown) => {
          log.error({ err, camera: cameraId }, 'recordings of a camera are not deleted')
          onFailed()
        })
      removals = Promise.all([removals, removal])
    },
    idle: () => removals,
  }
}
