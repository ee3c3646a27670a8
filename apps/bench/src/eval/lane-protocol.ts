import type { NomeIa } from '@vigia/contracts/ias'
import type { ModelResult } from './result.ts'
import type { Scene } from './scene.ts'
import type { ShownStill } from './show-still.ts'
import type { Stress } from './stress/stress.ts'
import type { WatchedVideo } from './watch-video.ts'

export interface VideoJob {
  readonly kind: 'video'
  readonly path: string
  readonly scene: Scene
  readonly ias: readonly NomeIa[]
  /** null: the video as it is. */
  readonly stress: Stress | null
}

export interface StillsJob {
  readonly kind: 'stills'
  readonly paths: readonly string[]
  /** That the pipeline runs. */
  readonly ias: readonly NomeIa[]
}

export type Job = VideoJob | StillsJob

export type ToLane = { readonly kind: 'job'; readonly job: Job } | { readonly kind: 'stop' }

export type FromLane =
  /** The models are loaded, as far as they can be. */
  | { readonly kind: 'ready'; readonly models: readonly ModelResult[] }
  /** How far the job at hand is: seconds of video, or pictures. */
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'video'; readonly watched: WatchedVideo; readonly codec: string | null }
  | { readonly kind: 'stills'; readonly shown: readonly (readonly [path: string, still: ShownStill | null])[] }
