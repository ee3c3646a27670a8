import type { CameraFailure } from '@vigia/contracts/camera-failures'

/**
 * Messages between the main process and the still process over the IPC channel of `fork` with advanced serialization.
 * Stream addresses contain passwords and pass only here.
 */
export interface StillRequest {
  readonly ticket: number
  readonly url: string
  /** Longer side, in pixels; smaller pictures are not scaled. */
  readonly maxSide: number
  /** Time limit from the connection to the picture. */
  readonly timeoutMs: number
}

export interface Still {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
}

export interface StillAnswer {
  readonly ticket: number
  readonly still: Still | null
  /** Reason for a missing picture; null: the time limit passed first. */
  readonly failure: CameraFailure | null
  /** Its addition; null: none. */
  readonly detail: string | null
}
