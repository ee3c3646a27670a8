import type { Detection } from '@vigia/ias/detection'
import type { ObservedTrack } from '@vigia/ias/observation'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { ModelRunner, TarefaVisao } from '@vigia/vision/model-runner'
import type { Motion } from '@vigia/vision/motion'
import type { AnalysisSettings } from './analyses.ts'
import type {
  AnalysisStates,
  EvidencePicture,
  FrameTime,
  SavedState,
  SeenDiscard,
  SeenEvent,
  SeenEvidence,
} from './model.ts'

import type { PlateReader, SeenPassage } from './plates/passage-model.ts'

/** One frame in the pipeline. */
export interface Scene {
  readonly frame: VideoFrame
  readonly time: FrameTime
  /** Result of the motion gate. */
  readonly motion: Motion
}

/** Stage of the pipeline for one model: decides on due frames, tracks detections and runs the analyses. */
export interface ModelStage {
  /** Changes the settings from the next frame on. Tracks, and analyses with unchanged settings, continue. */
  configure(settings: AnalysisSettings, states: AnalysisStates): void
  /** Called for every frame, in order: whether this frame is due. */
  isDue(motion: Motion, time: FrameTime): boolean
  /**
   * Runs the inference of a frame; one call at a time, in order.
   * @param spare number of enlarged regions that there is time for, besides the whole frame
   */
  run(scene: Scene, spare: number): Promise<void>
  /** Cuts the object of an event from a frame of the main stream; null: not its event, or its track has ended. */
  principal(ref: string, frame: VideoFrame, epochMs: number): Promise<EvidencePicture | null>
  /** State of each analysis after the last frame whose events were delivered. */
  states(): readonly SavedState[]
}

/** Receives the detections of a model in one frame, before tracking. */
export type OnFound = (tarefa: TarefaVisao, found: readonly Detection[]) => void

/** Receives the tracks of one frame as the rules of `objetos` receive them. */
export type OnTracks = (tracks: readonly ObservedTrack[], time: FrameTime) => void

export interface StageOptions {
  readonly cameraId: number
  readonly settings: AnalysisSettings
  readonly states: AnalysisStates
  readonly runner: ModelRunner
  /**
   * Receives the events of one analysis in one frame and its state after them. Both must be stored in one transaction.
   */
  onEvents(events: readonly SeenEvent[], state: unknown): void
  /** Receives further pictures of delivered events; none are taken when omitted. */
  readonly onEvidence?: ((evidence: SeenEvidence) => void) | undefined
  /** Receives tracks without an event, and how those with an event went on; none are followed when omitted. */
  readonly onDiscard?: ((discard: SeenDiscard) => void) | undefined
  /** Reads plates. No passages are reported when omitted. */
  readonly readPlates?: PlateReader | undefined
  readonly onPassage?: ((passage: SeenPassage) => void) | undefined
  /** For measurements. */
  readonly onFound?: OnFound | undefined
  /** For measurements. */
  readonly onTracks?: OnTracks | undefined
}
