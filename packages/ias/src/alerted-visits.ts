import type { ObservedTrack } from './observation.ts'
import { isSavedPlace, type SavedPlace } from './saved-visits.ts'
import { ALERTED } from './stored-keys.ts'
import { createVisits } from './visits.ts'

/** The alerted visits (visits.ts): a track that is lost and found again belongs to the same visit. */
export interface AlertedVisits {
  /** Follows the tracks of one frame. Called once a frame, before the methods below. */
  observe(tracks: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  /** Begins a visit without an alert: from now on the track does not continue the visit of another one. */
  settle(track: ObservedTrack, epochMs: number, streamMs: number): void
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

/**
 * `confirms` (visits.ts): whether the track would trigger an event without this memory.
 */
export function createAlertedVisits(
  confirms: (track: ObservedTrack) => boolean,
  saved: readonly SavedAlertedVisit[] = [],
): AlertedVisits {
  const restored = saved.map((place) => ({ ...place, data: { [ALERTED]: true } }))
  const visits = createVisits<{ [ALERTED]: boolean }>({ saved: restored, confirms })
  const marked = new WeakMap<object, number>()
  return {
    observe: visits.observe,
    settle(track, epochMs, streamMs) {
      if (!visits.of(track.id)) visits.begin(track, { [ALERTED]: false }, epochMs, streamMs)
    },
    isAlerted: (trackId) => visits.of(trackId)?.data[ALERTED] ?? false,
    alertedTrack: (trackId) => marked.get(visits.of(trackId) ?? visits) ?? null,
    motionFrames: visits.motionFrames,
    markAlerted: (track, epochMs, streamMs) => {
      const visit = visits.of(track.id) ?? visits.begin(track, { [ALERTED]: true }, epochMs, streamMs)
      visit.data[ALERTED] = true
      marked.set(visit, track.id)
    },
    saved: () =>
      visits
        .saved()
        .filter(({ data }) => data[ALERTED])
        .map(({ box, vx, vy, seenAt }) => ({ box, vx, vy, seenAt })),
  }
}
