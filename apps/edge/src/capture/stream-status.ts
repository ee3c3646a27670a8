import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { ONLINE_MS } from '@vigia/contracts/cameras'
import type { StreamInfo } from '@vigia/video/stream-reader'
import type { StreamStatus } from './model.ts'

export interface StatusTracker {
  /** A reader was opened, or it is closed. */
  reading(reading: boolean): void
  info(info: StreamInfo): void
  frame(): void
  failed(failure: CameraFailure, detail: string | null): void
  /** The address changed: nothing that is known of the stream counts any more. */
  restart(): void
  status(): StreamStatus
}

/**
 * What is known of one stream. It is online while its last frame is fresh, also between two connections. The last failure is
 * shown until a frame comes, also when it is still online or already trying again: a stream that breaks off every few
 * seconds would otherwise never say why, and each attempt would hide the reason for some seconds.
 */
export function createStatusTracker(
  cameraId: number,
  now: () => number,
  lastFailure: CameraFailure | null,
): StatusTracker {
  let failure: CameraFailure | null = lastFailure ?? 'conectando'
  let detail: string | null = null
  let info: StreamInfo | null = null
  let lastFrameAt: number | null = null
  let isReading = false

  return {
    reading: (reading) => {
      isReading = reading
    },
    info: (next) => {
      info = next
    },
    frame: () => {
      lastFrameAt = now()
      failure = null
      detail = null
    },
    failed: (code, text) => {
      failure = code
      detail = text?.slice(0, 100) ?? null
    },
    restart: () => {
      failure = 'conectando'
      detail = null
      info = null
      lastFrameAt = null
    },
    status: () => {
      const lastFrameAgeMs = lastFrameAt === null ? null : now() - lastFrameAt
      const online = lastFrameAgeMs !== null && lastFrameAgeMs <= ONLINE_MS
      return {
        cameraId,
        online,
        // Frames stopped and no reader has said why yet.
        failure: failure ?? (online ? null : 'video_parado'),
        detail,
        lastFrameAgeMs,
        codec: info?.codec.slice(0, 32) ?? null,
        resolution: info ? `${info.width}x${info.height}` : null,
        fps: info?.fps ?? null,
        reading: isReading,
      }
    },
  }
}
