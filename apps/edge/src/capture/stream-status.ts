import { type CameraFailure, keyframeWaitText } from '@vigia/contracts/camera-failures'
import { ONLINE_MS } from '@vigia/contracts/cameras'
import type { StreamActivity } from '@vigia/video/readers/activity'
import type { StreamInfo } from '@vigia/video/stream-reader'
import { createFlapping } from './flapping.ts'
import type { StreamStatus } from './model.ts'
import type { StreamChoice } from './retry-policy.ts'

/** A connection that has failed. */
interface EndedConnection {
  readonly choice: StreamChoice
  readonly hadPictures: boolean
  /** It was the attempt of a second client, which knows less about the same failure than the first one. */
  readonly isSecond: boolean
}

export interface StatusTracker {
  /** A reader was opened or closed. */
  reading(reading: boolean): void
  info(info: StreamInfo): void
  frame(): void
  failed(failure: CameraFailure, detail: string | null): void
  /** A connection has failed. */
  ended(failure: CameraFailure, detail: string | null, of: EndedConnection): void
  /** Resets the state after a change of the address. */
  restart(): void
  /** `keyframeAgeMs`: as in StreamStatus. */
  status(activity?: StreamActivity | null, keyframeAgeMs?: number | null): StreamStatus
}

/** Without a "smart" codec a keyframe comes at least this often. */
const USUAL_GROUP_MS = 5_000

/** A reason of earlier connections that says more than the wait of the present one. */
const isWorse = (failure: CameraFailure | null): boolean =>
  failure === 'sem_quadro_chave' || failure === 'dados_invalidos' || failure === 'video_danificado'

/**
 * Tracks the state of one stream. The stream is online while its last frame is fresh, also between two connections. The
 * last failure stays visible until the next frame, also while online or reconnecting. A stream that breaks every few
 * seconds therefore shows its reason. While pictures arrive and a keyframe is due, the wait for it is the reason.
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
  let subFailure: StreamStatus['subFailure'] | null = null

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
    ended(code, text, { choice, hadPictures, isSecond }) {
      if (!isSecond || code !== failure) failed(code, text)
      if (choice === 'sub') subFailure = hadPictures ? null : { failure: code, detail }
      if (hadPictures) flapping.ended()
    },
    restart: () => {
      failure = 'conectando'
      detail = null
      info = null
      lastFrameAt = null
      flapping = createFlapping(now)
      subFailure = null
    },
    status: (activity = null, keyframeAgeMs = null) => {
      const lastFrameAgeMs = lastFrameAt === null ? null : now() - lastFrameAt
      const online = lastFrameAgeMs !== null && lastFrameAgeMs <= ONLINE_MS
      const isDue = isReading && !online && keyframeAgeMs !== null && keyframeAgeMs > USUAL_GROUP_MS
      const awaitsKeyframe = isDue && !isWorse(failure)
      // Frames have stopped, and no reader has reported a reason yet.
      const other = failure ?? (online ? null : 'video_parado')
      return {
        cameraId,
        online,
        failure: awaitsKeyframe ? 'aguardando_quadro_chave' : other,
        detail: awaitsKeyframe ? keyframeWaitText(keyframeAgeMs) : detail,
        lastFrameAgeMs,
        codec: info?.codec.slice(0, 32) ?? null,
        resolution: info ? `${info.width}x${info.height}` : null,
        fps: info?.fps ?? null,
        keyframeIntervalMs: activity && Math.round(activity.keyframeIntervalMs),
        keyframeAgeMs: keyframeAgeMs && Math.round(keyframeAgeMs),
        bitrateKbps: activity && Math.round((activity.bytesPerSecond * 8) / 1000),
        memoryBytes: info?.decoderBytes ?? null,
        reading: isReading,
        periodS: flapping.periodS(),
        ...(subFailure && { subFailure }),
      }
    },
  }
}
