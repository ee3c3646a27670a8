import type { MotivoSemClipe } from '@vigia/contracts/extras'
import type { Logger } from 'pino'
import type { ClipFailure, SeenClip } from '../capture/model.ts'
import type { EdgeTime } from '../time/edge-time.ts'
import type { ClipFiles } from './clip-files.ts'
import type { ClipEvent, ClipStore, PlacedClip, StoredClip } from './clip-store.ts'

/** Stores clips on the disk. Each expected event gets a clip or a reason, also across restarts. */
export interface ClipKeeper {
  /** Settles the events whose clip the last run of this program did not finish. */
  start(): Promise<void>
  clip(seen: SeenClip): void
  missing(refs: readonly string[], failure: ClipFailure): void
  /**
   * Takes over a complete unfinished file that belongs to no event. No clip of an event gives way to it. Resolves with
   * null, or with the reason for which it is not kept.
   */
  adopt(clip: StoredClip): Promise<'disco_cheio' | 'disco_indisponivel' | null>
  /** Whether an unfinished file of `bytes` can be adopted. */
  hasSpace(bytes: number): boolean
  /** The capture process of these cameras has ended. */
  interrupted(cameraIds: readonly number[]): void
  /** Deletes a clip that the cloud has or does not want, without a reason for its events. */
  discard(id: string): void
  /** Settles when the clips received so far are stored. */
  stop(): Promise<void>
}

export interface ClipKeeperOptions {
  readonly store: ClipStore
  readonly files: ClipFiles
  readonly notices: ClipNotices
  readonly quota: ClipQuota
  readonly log: Logger
  /** Id of the event of a reference of a capture process. */
  eventOf(ref: string): string | undefined
  onChanged(): void
  /** Edge clock, in epoch ms. */
  now?(): number
  readonly time: Pick<EdgeTime, 'place' | 'state'>
  /** Monotonic ms; default `performance.now`. */
  monotonic?(): number
  readonly checkEveryMs?: number
}

/** Stores what the cloud must learn about a clip. Runs inside the transaction of the change. */
export interface ClipNotices {
  kept(clip: PlacedClip, seen: SeenClip, events: readonly { readonly event: string; readonly offsetMs: number }[]): void
  missing(event: ClipEvent, reason: MotivoSemClipe): void
  /** The clip is removed. */
  removed(clip: string): void
}

interface ClipQuota {
  /** Largest size of all clips. */
  readonly maxBytes: number
  /** Free space to leave on the disk. Larger than the outbox's, so that clips give way before any event does. */
  readonly reserveBytes: number
  /** null: unknown. */
  freeBytes(): number | null
}
