import type { Mask } from '@vigia/video/mask'
import type { SpillSpace } from '@vigia/video/readers/spill'
import type { Logger } from 'pino'
import type { ClipFailure, SeenClip } from './model.ts'

export interface ClipRecorderOptions {
  readonly cameraId: number
  /** Covers the clips, which are then small copies; null: clips are unchanged. */
  readonly mask: Mask | null
  /** Runs one copy after another, over all cameras of the process. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  readonly log: Logger
  onClip(clip: SeenClip): void
  /** These events have no clip. */
  onMissing(refs: readonly string[], failure: ClipFailure): void
  /** Span of events without an own one. */
  readonly beforeMs?: number
  readonly afterMs?: number
  readonly longestMs?: number
  readonly maxBytes?: number
  /** Disk for what the memory cannot hold. */
  readonly spill?: SpillSpace | null
}
