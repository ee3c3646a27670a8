import type { NomeIa } from '@vigia/contracts/ias'
import type { AnalysedVideo } from './analyse-video.ts'
import type { SegmentRow } from './longo/long-state.ts'
import type { LongJob } from './longo/run-segment.ts'
import type { ModelResult } from './result.ts'
import type { Scene } from './scene.ts'
import type { ShownStill } from './show-still.ts'
import type { Stress } from './stress/stress.ts'

export interface VideoJob {
  readonly kind: 'video'
  readonly path: string
  readonly scene: Scene
  readonly ias: readonly NomeIa[]
  /** null: the unchanged video. */
  readonly stress: Stress | null
}

export interface StillsJob {
  readonly kind: 'stills'
  readonly paths: readonly string[]
  /** The IAs that the pipeline runs. */
  readonly ias: readonly NomeIa[]
}

export type Job = VideoJob | StillsJob | LongJob

export type ToLane = { readonly kind: 'job'; readonly job: Job } | { readonly kind: 'stop' }

export type FromLane =
  /** All models are loaded or have failed to load. */
  | { readonly kind: 'ready'; readonly models: readonly ModelResult[] }
  /** Progress of the current job: seconds of video, or pictures. */
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'video'; readonly analysed: AnalysedVideo; readonly codec: string | null }
  | { readonly kind: 'stills'; readonly shown: readonly (readonly [path: string, still: ShownStill | null])[] }
  /** A segment of the long run, which is saved. */
  | { readonly kind: 'longo'; readonly row: SegmentRow }
