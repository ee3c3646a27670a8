import { associate, bufferedIou } from './association.ts'
import { interchangeable } from './coco-labels.ts'
import type { Detection } from './detection.ts'
import { createTrackState, type Track, type TrackState } from './track-state.ts'

export interface TrackerOptions {
  /** From here on a detection is matched first and may begin a track. Set it to the lowest `conf` in force. */
  readonly highConfidence?: number
  /** Detections between this and `highConfidence` only continue a track (the object is half hidden, or blurred). */
  readonly lowConfidence?: number
  /** How long a track that is not seen is kept, ms of stream time. */
  readonly keepMs?: number
}

export interface Tracker {
  /**
   * Takes the detections of the next frame and returns every track that lives, seen or not. `timestampMs` is stream time; when it
   * goes backwards (the stream began again) all tracks are dropped. Pure but for what it remembers.
   */
  update(detections: readonly Detection[], timestampMs: number): Track[]
}

/** How far boxes are grown, and how much of them must then overlap. A lost object may have gone further than expected. */
const SEEN = { margin: 0.5, minimum: 0.15 }
const LOST = { margin: 0.7, minimum: 0.15 }
/** A track that was seen once only and then this often not, was a flicker of the detector. */
const FLICKER_MISSES = 2

/**
 * Follows objects from frame to frame as ByteTrack does (arXiv 2110.06864): confident detections are matched first, the weak ones then
 * continue what is left, so that an object is not lost while it is half hidden. Motion is predicted with constant velocity.
 */
export function createTracker(options: TrackerOptions = {}): Tracker {
  const { highConfidence = 0.4, lowConfidence = 0.15, keepMs = 2_000 } = options
  let tracks: TrackState[] = []
  let nextId = 1
  let nowMs = -Infinity

  const similarity = (margin: number) => (track: TrackState, detection: Detection) =>
    interchangeable(track.label(), detection.rotulo) ? bufferedIou(track.expected(), detection, margin) : 0

  return {
    update(detections, timestampMs) {
      if (timestampMs < nowMs) tracks = []
      nowMs = timestampMs
      tracks = tracks.filter((track) => timestampMs - track.lastSeenMs() <= keepMs)
      for (const track of tracks) track.predict(timestampMs)

      const usable = detections.filter(({ w, h }) => w > 0 && h > 0)
      const high = usable.filter(({ confianca }) => confianca >= highConfidence)
      const low = usable.filter(({ confianca }) => confianca < highConfidence && confianca >= lowConfidence)
      const seen = tracks.filter((track) => track.misses() === 0)
      const lost = tracks.filter((track) => track.misses() > 0)

      const first = associate(seen, high, similarity(SEEN.margin), SEEN.minimum)
      const second = associate(first.lefts, low, similarity(SEEN.margin), SEEN.minimum)
      const third = associate(lost, first.rights, similarity(LOST.margin), LOST.minimum)
      // A weak detection brings a lost track back only where the track is expected: it may be another object's shadow.
      const fourth = associate(third.lefts, second.rights, similarity(0), SEEN.minimum)
      for (const { left, right } of [first, second, third, fourth].flatMap(({ pairs }) => pairs))
        left.match(right, timestampMs)
      for (const track of [...second.lefts, ...fourth.lefts]) track.miss()
      tracks = tracks.filter((track) => !(track.matches() === 1 && track.misses() >= FLICKER_MISSES))
      tracks.push(...third.rights.map((detection) => createTrackState(nextId++, detection, timestampMs)))
      return tracks.map((track) => track.view())
    },
  }
}
