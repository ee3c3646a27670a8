import type { ObservedTrack } from './observation.ts'
import { isSavedPlace, type SavedPlace } from './saved-visits.ts'
import { createVisits } from './visits.ts'

/** The alerted visits (visits.ts): a track that is lost and found again belongs to the same visit. */
export interface AlertedVisits {
  /** Follows the tracks of one frame. Called once a frame, before the methods below. */
  observe(tracks: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  isAlerted(trackId: number): boolean
  /** The track that was marked in the visit of this track; null: none, or it was before a restart. */
  alertedTrack(trackId: number): number | null
  /** Number of frames with motion under the track's box. */
  motionFrames(trackId: number): number
  markAlerted(track: ObservedTrack, epochMs: number, streamMs: number): void
  saved(): SavedAlertedVisit[]
}

export type SavedAlertedVisit = SavedPlace

export const isSavedAlertedVisit = isSavedPlace

/** `confirms` (visits.ts): whether the track would trigger an event without this memory. */
export function createAlertedVisits(
  confirms: (track: ObservedTrack) => boolean,
  saved: readonly SavedAlertedVisit[] = [],
): AlertedVisits {
  const visits = createVisits<object>({ saved: saved.map((place) => ({ ...place, data: {} })), confirms })
  const marked = new WeakMap<object, number>()
  return {
    observe: visits.observe,
    isAlerted: (trackId) => visits.of(trackId) !== null,
    alertedTrack: (trackId) => marked.get(visits.of(trackId) ?? visits) ?? null,
    motionFrames: visits.motionFrames,
    markAlerted: (track, epochMs, streamMs) => {
      marked.set(visits.begin(track, {}, epochMs, streamMs), track.id)
    },
    saved: () => visits.saved().map(({ box, vx, vy, seenAt }) => ({ box, vx, vy, seenAt })),
  }
}
