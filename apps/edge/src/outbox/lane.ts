export type LaneName = 'live' | 'backfill'

/** Progress of one lane of one camera. */
export interface Lane {
  readonly cameraId: number
  readonly name: LaneName
  /** Range of its numbers: above `from` up to `upTo`. */
  readonly from: number
  readonly upTo: number
  /** Last number sent. */
  after: number
  /** Consecutive batches without an answer. */
  silences: number
  /** Consecutive answers that an earlier record is missing. */
  disorders: number
  /** Monotonic ms; the lane sends nothing earlier. */
  pausedUntil: number
  /** Whether the cloud asked for the pause: it holds back no extras of other cameras. */
  asked: boolean
}
