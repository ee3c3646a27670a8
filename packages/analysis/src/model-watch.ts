import type { Detection } from '@vigia/ias/detection'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { Motion } from '@vigia/vision/motion'
import type { Sight, TarefaVisao } from '@vigia/vision/sight'
import type { Watch } from './analyses.ts'
import type { AnalysisStates, FrameTime, SavedState, SeenEvent } from './model.ts'

/** One frame on its way. */
export interface Scene {
  readonly frame: VideoFrame
  readonly time: FrameTime
  /** What the gate says of this frame. */
  readonly motion: Motion
}

/** What is watched for with one model: which frames are worth a look, what was seen over time, and what it means. */
export interface ModelWatch {
  /** Watches for something else from the next frame on; tracks, and analyses whose settings are the same, go on. */
  watch(watch: Watch, states: AnalysisStates): void
  /** Whether this frame is worth a look. */
  isDue(motion: Motion, time: FrameTime): boolean
  /**
   * Looks at a frame; one call at a time, in order.
   * @param spare enlarged looks that there is time for, beside the one at the whole frame
   */
  look(scene: Scene, spare: number): Promise<void>
  /** What each analysis remembers, as of the last frame of which its events were handed over. */
  states(): readonly SavedState[]
}

/** What a model found in one frame, before it is tracked. */
export type OnFound = (tarefa: TarefaVisao, found: readonly Detection[]) => void

export interface ModelWatchOptions {
  readonly cameraId: number
  readonly watch: Watch
  readonly states: AnalysisStates
  readonly sight: Sight
  /** Events of one analysis in one frame, with what it remembers after them: to be stored together or not at all. */
  onEvents(events: readonly SeenEvent[], state: unknown): void
  /** For measurements. */
  readonly onFound?: OnFound | undefined
}
