import type { AnalysisStates, CameraTask, SavedState, SeenEvent } from '@vigia/analysis/model'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { RtspClient } from '@vigia/video/connection'
import type { ModelState } from '@vigia/vision/sight'
import type { Picture, PictureWish, StreamStatus } from './model.ts'

/**
 * What the main process and a capture process say to each other, over the IPC channel of `fork` with advanced
 * serialization (pictures stay binary). Stream addresses with their passwords travel here only: never as an argument, in the
 * environment or in a log, where other users of the box could read them.
 */

export type ToCapture =
  /** Begin with this camera, or go on with it under new settings. `lastFailure`: what to show until it is online. */
  | {
      readonly kind: 'camera'
      readonly task: CameraTask
      readonly states: AnalysisStates
      readonly lastFailure: CameraFailure | null
      /** What reads the camera's stream; does not change while the edge runs. */
      readonly rtspClient: RtspClient
    }
  | { readonly kind: 'remove'; readonly cameraId: number }
  | { readonly kind: 'granted'; readonly ticket: number }
  /** The connection is closed and made again at once. */
  | { readonly kind: 'restart'; readonly cameraId: number }
  /** Answered with `picture`. */
  | { readonly kind: 'picture'; readonly ticket: number; readonly cameraId: number; readonly wish: PictureWish }
  | { readonly kind: 'stop' }

export type FromCapture =
  /** Sent every second and on every change: the sign of life, too. */
  | { readonly kind: 'beat'; readonly streams: readonly StreamStatus[]; readonly models: readonly ModelState[] }
  /** What one analysis of one camera fired in one frame, and what it remembers after it. */
  | { readonly kind: 'events'; readonly events: readonly SeenEvent[]; readonly state: unknown }
  | { readonly kind: 'states'; readonly states: readonly SavedState[] }
  /** Asks for leave to open a connection to `host`. */
  | { readonly kind: 'request'; readonly ticket: number; readonly host: string }
  | { readonly kind: 'release'; readonly ticket: number }
  /** null: there is no frame to show. */
  | { readonly kind: 'picture'; readonly ticket: number; readonly picture: Picture | null }

export const BEAT_MS = 1_000
