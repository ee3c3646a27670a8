import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { ONLINE_MS } from '@vigia/contracts/cameras'
import type { StreamActivity } from '@vigia/video/readers/activity'
import type { StreamInfo } from '@vigia/video/stream-reader'
import { createFlapping } from './flapping.ts'
import type { StreamStatus } from './model.ts'

export interface StatusTracker {
  /** A reader was opened or closed. */
  reading(reading: boolean): void
  info(info: StreamInfo): void
  frame(): void
  failed(failure: CameraFailure, detail: string | null): void
  /** A connection has failed. */
  ended(failure: CameraFailure, detail: string | null, hadPictures: boolean): void
  /** Resets the state after a change of the address. */
  restart(): void
  status(activity?: StreamActivity | null): StreamStatus
}

/**
 * Tracks the state of one stream. The stream is online while its last frame is fresh, also between two connections. The
 * last failure stays visible until the next frame, also while online or reconnecting. A stream that breaks every few
 * seconds therefore shows its reason.
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
  let flapping = createFlapping(now)

  const failed = (code: CameraFailure, text: string | null) => {
    failure = code
    detail = text?.slice(0, 100) ?? null
  }

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
    failed,
    ended(code, text, hadPictures) {
      failed(code, text)
      if (hadPictures) flapping.ended()
    },
    restart: () => {
      failure = 'conectando'
      detail = null
      info = null
      lastFrameAt = null
      flapping = createFlapping(now)
    },
    status: (activity = null) => {
      const lastFrameAgeMs = lastFrameAt === null ? null : now() - lastFrameAt
      const online = lastFrameAgeMs !== null && lastFrameAgeMs <= ONLINE_MS
      return {
        cameraId,
        online,
        // Frames have stopped, and no reader has reported a reason yet.
        failure: failure ?? (online ? null : 'video_parado'),
        detail,
        lastFrameAgeMs,
        codec: info?.codec.slice(0, 32) ?? null,
        resolution: info ? `${info.width}x${info.height}` : null,
        fps: info?.fps ?? null,
        keyframeIntervalMs: activity && Math.round(activity.keyframeIntervalMs),
        bitrateKbps: activity && Math.round((activity.bytesPerSecond * 8) / 1000),
        memoryBytes: info?.decoderBytes ?? null,
        reading: isReading,
        periodS: flapping.periodS(),
      }
    },
  }
}
