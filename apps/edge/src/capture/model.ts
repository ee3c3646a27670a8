import type { CameraFailure } from '@vigia/contracts/camera-failures'

/** How one camera's stream is, as its capture process sees it. */
export interface StreamStatus {
  readonly cameraId: number
  readonly online: boolean
  /** The last failure, until a frame comes: also while it is still online, and while the next attempt is under way. */
  readonly failure: CameraFailure | null
  readonly detail: string | null
  /** Age of the last decoded frame, ms; null: none since the address was given. */
  readonly lastFrameAgeMs: number | null
  readonly codec: string | null
  readonly resolution: string | null
  readonly fps: number | null
  /** Native code is at work on it right now: a crash of the process may be its doing. */
  readonly reading: boolean
}

/** One frame as a JPEG; its size in pixels. */
export interface Picture {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
}

/** The next frame; when none comes within `waitMs`: the last whole one while it is fresh, or with `maxSide` nothing. */
export interface PictureWish {
  readonly waitMs: number
  /** Longer side at most, pixels: for many pictures one after the other. null: as large as it is. */
  readonly maxSide: number | null
}
