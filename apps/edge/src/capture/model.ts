import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Caixa } from '@vigia/contracts/eventos'

/** State of one camera's stream in its capture process. */
export interface StreamStatus {
  readonly cameraId: number
  readonly online: boolean
  /** The last failure; null after the next frame. Also set while the camera is still online or reconnects. */
  readonly failure: CameraFailure | null
  readonly detail: string | null
  /** Age of the last decoded frame; null: no frame since the address was set. */
  readonly lastFrameAgeMs: number | null
  readonly codec: string | null
  readonly resolution: string | null
  readonly fps: number | null
  /** Mean time between two keyframes; null: fewer than two on the current connection. */
  readonly keyframeIntervalMs: number | null
  /** Rate of the compressed stream; null: unknown, as above. */
  readonly bitrateKbps: number | null
  /** Native code is reading the stream: it may be the cause of a crash of the process. */
  readonly reading: boolean
}

/** One frame as a JPEG, with its size in pixels. */
export interface Picture {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
  /** Objects of the last inference before this frame; only of a picture of a series. */
  readonly seen?: readonly Caixa[]
}

/**
 * Requests the next frame. If none arrives within `waitMs`: the last full-size picture while it is fresh, or null if
 * `maxSide` is set.
 */
export interface PictureRequest {
  readonly waitMs: number
  /** Largest length of the longer side in pixels, for series of pictures; null: full size. */
  readonly maxSide: number | null
}
