import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { ModelState } from '@vigia/vision/model-runner'
import type { StreamStatus } from '../capture/model.ts'
import type { End } from './child.ts'

/** Last report of a capture process on one camera; `at`: monotonic ms. */
export interface CameraStatus {
  readonly stream: StreamStatus
  readonly models: readonly ModelState[]
  readonly at: number
}

/** Last status of each camera, and the failure that interrupted it. */
export interface CameraStatuses {
  of(cameraId: number): CameraStatus | null
  /** Failure to report for a camera until its stream is online again. */
  lastFailure(cameraId: number): CameraFailure | null
  /** Whether the stream is another one than the last report said: online, failure or codec. */
  heard(stream: StreamStatus, models: readonly ModelState[]): boolean
  /** The process of the camera has ended. `aboveShare`: it was killed for its memory, and read no other camera. */
  interrupted(cameraId: number, aboveShare: End['memory']): void
  /** The camera whose pictures take most memory; none if they take no more than those of another. */
  largestOf(cameraIds: readonly number[]): number[]
  /** The camera has another stream now. */
  forgetFailure(cameraId: number): void
  forget(cameraId: number): void
}

export function createCameraStatuses(): CameraStatuses {
  const statuses = new Map<number, CameraStatus>()
  const lastFailures = new Map<number, CameraFailure>()
  const bytesOf = (id: number | undefined) => (id === undefined ? 0 : (statuses.get(id)?.stream.memoryBytes ?? 0))

  return {
    of: (cameraId) => statuses.get(cameraId) ?? null,
    lastFailure: (cameraId) => lastFailures.get(cameraId) ?? null,
    heard(stream, models) {
      const before = statuses.get(stream.cameraId)?.stream
      statuses.set(stream.cameraId, { stream, models, at: performance.now() })
      if (stream.online) lastFailures.delete(stream.cameraId)
      return before?.online !== stream.online || before.failure !== stream.failure || before.codec !== stream.codec
    },
    interrupted(cameraId, aboveShare) {
      const before = statuses.get(cameraId)
      const failure = aboveShare ? 'video_grande_demais' : 'captura_reiniciada'
      lastFailures.set(cameraId, failure)
      if (!before) return
      const mib = (bytes: number) => Math.round(bytes / (1024 * 1024))
      const detail =
        aboveShare && `a captura usou ${mib(aboveShare.bytes)} MiB; o limite é ${mib(aboveShare.maxBytes)} MiB`
      statuses.set(cameraId, {
        ...before,
        stream: { ...before.stream, online: false, failure, detail, reading: false },
      })
    },
    largestOf(cameraIds) {
      const [largest, second] = cameraIds.toSorted((a, b) => bytesOf(b) - bytesOf(a))
      return largest === undefined || second === undefined || bytesOf(largest) === bytesOf(second) ? [] : [largest]
    },
    forgetFailure: (cameraId) => {
      lastFailures.delete(cameraId)
    },
    forget(cameraId) {
      statuses.delete(cameraId)
      lastFailures.delete(cameraId)
    },
  }
}
