import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import { associate } from './association.ts'
import { interchangeable } from './coco-labels.ts'
import { contains } from './region-shape.ts'
import { createTrackState, type Track, type TrackState } from './track-state.ts'

export interface TrackerOptions {
  /**
   * Least confidence of a detection that is matched first and may start a track. Set it to the lowest `conf` in force;
   * use a function if that changes.
   */
  readonly highConfidence?: number | (() => number)
  /** Detections between this and `highConfidence` only continue a track (the object is half hidden or blurred). */
  readonly lowConfidence?: number
  /**
   * Time for which a track without detections is kept, stream time; a resting object is kept as long as it rested, up
   * to 30 s.
   */
  readonly keepMs?: number
}

export interface Tracker {
  /**
   * Takes the detections of the next frame and returns all live tracks, seen or not. `timestampMs` is stream time; when
   * it goes back (the stream restarted) all tracks are dropped. Has no side effects except its tracks. `enlarged`: the
   * regions of this frame with an enlarged inference. A track last seen in such a region has a miss only if a region of
   * this frame contains it. Small people get inferences in turns.
   */
  update(detections: readonly Detection[], timestampMs: number, enlarged?: readonly Box[]): Track[]
}

/** Least likelihood of a pair, 0–1: about 2.6 standard deviations. */
const MINIMUM = 0.03
/**
 * A track lost for less than this competes equally with active tracks, so that a neighbour does not take its detection.
 */
const RECENT_MS = 1_000
/** A track with one detection and this many misses was a flicker of the detector. */
const FLICKER_MISSES = 2
/** Limit for noisy pictures: above it the tracks with the oldest detections are dropped, and of those the shortest. */
const MOST_TRACKS = 200

/**
 * Follows objects between frames like ByteTrack (arXiv 2110.06864). Confident detections are matched first. Weak ones
 * then continue the remaining tracks, so that a half hidden object is not lost. Motion is predicted with constant
 * velocity. A resting object is matched at its position, so that a passer-by does not take over its track.
 */
export function createTracker(options: TrackerOptions = {}): Tracker {
  const { highConfidence: begin = 0.4, lowConfidence = 0.15, keepMs = 4_000 } = options
  let tracks: TrackState[] = []
  let nextId = 1
  let lastMs = -Infinity

  const likeness = (track: TrackState, found: Detection) =>
    interchangeable(track.label(), found.rotulo) ? track.likeness(found) : 0
  const nearness = (track: TrackState, found: Detection) =>
    interchangeable(track.label(), found.rotulo) ? track.nearness(found) : 0

  return {
    update(detections, timestampMs, enlarged = []) {
      const highConfidence = typeof begin === 'function' ? begin() : begin
      if (timestampMs < lastMs) tracks = []
      lastMs = timestampMs
      tracks = tracks.filter((track) => timestampMs - track.lastSeenMs() <= track.keepMs(keepMs))
      for (const track of tracks) track.predict(timestampMs)

      const isEnlarged = (box: Box) => enlarged.some((region) => contains(region, box))
      const usable = detections.filter(({ w, h }) => w > 0 && h > 0)
      const high = usable.filter(({ confianca }) => confianca >= highConfidence)
      const low = usable.filter(({ confianca }) => confianca < highConfidence && confianca >= lowConfidence)
      const isRecent = (track: TrackState) => track.seen() || timestampMs - track.lastSeenMs() <= RECENT_MS
      const recent = tracks.filter(isRecent)
      const lost = tracks.filter((track) => !isRecent(track))

      const first = associate(recent, high, likeness, MINIMUM)
      const second = associate(first.lefts, low, nearness, MINIMUM)
      const third = associate(lost, first.rights, likeness, MINIMUM)
      // A weak detection continues a lost track only at the expected position, because it may be the shadow of another
      // object.
      const fourth = associate(third.lefts, second.rights, nearness, MINIMUM)
      for (const { left, right } of [first, second, third, fourth].flatMap(({ pairs }) => pairs)) {
        left.match(right, timestampMs, isEnlarged(right))
      }
      for (const track of [...second.lefts, ...fourth.lefts]) track.miss(isEnlarged)
      tracks = tracks.filter((track) => !(track.matches() === 1 && track.misses() >= FLICKER_MISSES))
      tracks.push(...third.rights.map((found) => createTrackState(nextId++, found, timestampMs, isEnlarged(found))))
      if (tracks.length > MOST_TRACKS) {
        const worth = (a: TrackState, b: TrackState) => b.lastSeenMs() - a.lastSeenMs() || b.matches() - a.matches()
        tracks = tracks.toSorted(worth).slice(0, MOST_TRACKS)
      }
      return tracks.map((track) => track.view())
    },
  }
}
