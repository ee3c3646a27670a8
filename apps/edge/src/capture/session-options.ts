import type { FrameTime } from '@vigia/analysis/model'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Fontes } from '@vigia/contracts/edge-state'
import type { ClientChoice } from '@vigia/video/client-choice'
import type { Mask } from '@vigia/video/mask'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { Logger } from 'pino'
import type { ClipRecorder } from './clip-recorder.ts'
import type { ConnectionSlots } from './connection-slots.ts'

export interface CameraSessionOptions {
  readonly cameraId: number
  readonly fontes: Fontes
  readonly lastFailure: CameraFailure | null
  readonly rtspClient: ClientChoice
  /** Requests the audio of the camera. */
  readonly audio: boolean
  readonly slots: ConnectionSlots
  /** Largest number of frames a second passed to `onFrame`. */
  readonly maxFps: number
  /** Covers each frame before `onFrame`; null: none. */
  readonly mask: Mask | null
  readonly log: Logger
  onFrame(frame: VideoFrame, time: FrameTime): Promise<void>
  /** Reads the packets of each connection beside the decoder. */
  readonly recorder?: Pick<ClipRecorder, 'reader' | 'frame'>
  /** Called when `status()` has changed. */
  onChange(): void
}
