import type { ObservedTrack } from './observation.ts'
import { createVisits, isSavedPlace, type SavedPlace } from './visits.ts'

/** Remembers who was alerted already, as visits (visits.ts): a track that is lost and found again is the same person. */
export interface PresenceMemory {
  /** Follow the tracks of one frame. Once a frame, before the questions below. */
  observe(tracks: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  isAlerted(trackId: number): boolean
  /** Frames in which something moved under the track's box. */
  motionFrames(trackId: number): number
  markAlerted(track: ObservedTrack, epochMs: number, streamMs: number): void
  saved(): SavedPresence[]
}

export type SavedPresence = SavedPlace

export const isSavedPresence = isSavedPlace

/** `counts` (visits.ts): a track that would be told of if it were not for this memory. */
export function createPresenceMemory(
  counts: (track: ObservedTrack) => boolean,
  saved: readonly SavedPresence[] = [],
): PresenceMemory {
  const visits = createVisits<object>({ saved: saved.map((place) => ({ ...place, data: {} })), counts })
  return {
    observe: visits.observe,
    isAlerted: (trackId) => visits.of(trackId) !== null,
    motionFrames: visits.motionFrames,
    markAlerted: (track, epochMs, streamMs) => {
      visits.begin(track, {}, epochMs, streamMs)
    },
    saved: () => visits.saved().map(({ box, vx, vy, seenAt }) => ({ box, vx, vy, seenAt })),
  }
}
