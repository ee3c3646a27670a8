import type {
  AnalysisStates,
  CameraTask,
  SavedState,
  SeenDiscard,
  SeenEvent,
  SeenEvidence,
} from '@vigia/analysis/model'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import type { KeptClient, RtspClient } from '@vigia/video/client-choice'
import type { ModelState } from '@vigia/vision/model-runner'
import type { ConnectionUse, SlotAnswer, SlotEnd } from './connection-slots.ts'
import type { ClipFailure, Picture, PictureRequest, SeenClip, StreamStatus } from './model.ts'
import type { StreamOrder, StreamRefusal } from './stream-order.ts'

/**
 * Messages between the main process and a capture process over the IPC channel of `fork` with advanced serialization
 * (pictures stay binary). Stream addresses contain passwords and pass only here. Arguments, environment and logs are
 * readable by other users of the machine.
 */

/** `clipRef`: reference in `SeenClip`, unique over all processes; absent: no clip follows. */
export type RecordedEvent = SeenEvent & { readonly clipRef?: string }

export type ToCapture =
  /**
   * Start reading this camera, or continue with new settings. `lastFailure`: the failure to report until the camera is
   * online.
   */
  | {
      readonly kind: 'camera'
      readonly task: CameraTask
      readonly states: AnalysisStates
      readonly lastFailure: CameraFailure | null
      /** First client for the camera's streams; constant as long as its transport. */
      readonly rtspClient: RtspClient
      /** Addresses that another client reads, because the first one could not. */
      readonly keptClients: readonly KeptClient[]
    }
  | { readonly kind: 'remove'; readonly cameraId: number }
  | SlotAnswer
  /** Closes the connection and reconnects at once. */
  | { readonly kind: 'restart'; readonly cameraId: number }
  /** Answered with `picture`. */
  | { readonly kind: 'picture'; readonly ticket: number; readonly cameraId: number; readonly request: PictureRequest }
  /** Answered with `record`, from the header on, until `endStream`; or with `streamEnded`. */
  | { readonly kind: 'stream'; readonly order: StreamOrder }
  | { readonly kind: 'endStream'; readonly id: string }
  | { readonly kind: 'stop' }

export type FromCapture =
  /** Sent every second and on every change; also the sign of life. */
  | { readonly kind: 'beat'; readonly streams: readonly StreamStatus[]; readonly models: readonly ModelState[] }
  /** Events of one analysis of one camera in one frame, and the state of the analysis afterwards. */
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[]; readonly state: unknown }
  /** A clip, or its absence, follows for each reference of `RecordedEvent`. */
  | { readonly kind: 'clip'; readonly clip: SeenClip }
  | { readonly kind: 'noClip'; readonly refs: readonly string[]; readonly failure: ClipFailure }
  | { readonly kind: 'evidence'; readonly evidence: SeenEvidence }
  | { readonly kind: 'discard'; readonly discard: SeenDiscard }
  | { readonly kind: 'passage'; readonly passage: SeenPassage }
  | { readonly kind: 'states'; readonly states: readonly SavedState[] }
  /** Requests a slot to connect to `host`; answered with `SlotAnswer`. */
  | {
      readonly kind: 'request'
      readonly ticket: number
      readonly host: string
      readonly login: string | undefined
      readonly use: ConnectionUse
    }
  /** This client reads the address from now on, because the first one ended with `failure`. */
  | {
      readonly kind: 'keptClient'
      readonly cameraId: number
      readonly kept: KeptClient
      readonly failure: CameraFailure
    }
  | { readonly kind: 'opened'; readonly ticket: number }
  | { readonly kind: 'release'; readonly ticket: number; readonly end: SlotEnd }
  /** null: no frame is available. */
  | { readonly kind: 'picture'; readonly ticket: number; readonly picture: Picture | null }
  | { readonly kind: 'record'; readonly id: string; readonly registro: RegistroTransmissao }
  | ({ readonly kind: 'streamEnded'; readonly id: string } & StreamRefusal)

export const BEAT_MS = 1_000
