import type { ObservedTrack } from './observation.ts'
import { isSavedPlace, type SavedPlace } from './saved-visits.ts'
import { createVisits } from './visits.ts'

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

/** `confirms` (visits.ts): whether the track would trigger an event without this memory. */
export function createPresenceMemory(
  confirms: (track: ObservedTrack) => boolean,
  saved: readonly SavedPresence[] = [],
): PresenceMemory {
  const visits = createVisits<object>({ saved: saved.map((place) => ({ ...place, data: {} })), confirms })
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
