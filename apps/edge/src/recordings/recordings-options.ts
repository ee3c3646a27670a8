import type { CameraTask } from '@vigia/analysis/model'
import type { Causa } from '@vigia/contracts/causa'
import type { Logger } from 'pino'
import type { ConnectionSlots } from '../capture/connection-slots.ts'
import type { ClipFiles } from '../clips/clip-files.ts'
import type { ClipKeeper } from '../clips/keeping.ts'
import type { HeldOptions } from './fetch-held.ts'
import type { RecorderClocks } from './recorder-clock.ts'

export interface RecordingsOptions {
  readonly clocks: RecorderClocks
  readonly slots: ConnectionSlots
  readonly files: Pick<ClipFiles, 'prepare' | 'removeUnfinished'>
  readonly keeper: Pick<ClipKeeper, 'adopt' | 'discard' | 'hasSpace'>
  /** Recordings of the edge itself, for what a recorder does not have. */
  readonly held: HeldOptions['files']
  readonly log: Logger
  /** null: unknown, or not active. */
  task(cameraId: number): CameraTask | null
  /** Whether the analysed stream of the camera works. */
  isOnline(cameraId: number): boolean
  /** Whether a stream of this recorder waits for a connection. */
  isCrowded(host: string): boolean
  /** Answer of the recorder to that stream; undefined: none waits. */
  busyCause(host: string): Causa | undefined
  /** Edge clock, in epoch ms. */
  now(): number
  readonly retryMs?: number
  /** Fetched before and behind the requested part. */
  readonly marginMs?: number
}
