import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import { associate } from './association.ts'
import { interchangeable } from './coco-labels.ts'
import { contains } from './region-shape.ts'
import { createTrackState, type Track, type TrackState } from './track-state.ts'

export interface TrackerOptions {
  /** From here on a detection is matched first and may begin a track. Set it to the lowest `conf` in force; a function, where that may change. */
  readonly highConfidence?: number | (() => number)
  /** Detections between this and `highConfidence` only continue a track (the object is half hidden, or blurred). */
  readonly lowConfidence?: number
  /** How long a track that is not seen is kept, ms of stream time; what stood for longer is kept as long as it stood, up to 30 s. */
  readonly keepMs?: number
}

export interface Tracker {
  /**
   * Takes the detections of the next frame and returns every track that lives, seen or not. `timestampMs` is stream time; when it
   * goes backwards (the stream began again) all tracks are dropped. Pure but for what it remembers. `enlarged`: the parts of this frame
   * that were looked at enlarged. Who was last seen in such a look and is not missed in one now has not been looked at, which
   * is no miss: small people are looked at in turns.
   */
  update(detections: readonly Detection[], timestampMs: number, enlarged?: readonly Box[]): Track[]
}

/** Pairs less likely than this (0–1) are not made: about 2.6 standard deviations. */
const MINIMUM = 0.03
/** Who was seen this long ago, ms, has as much right to a detection as who was seen in the last frame: else a neighbour takes it. */
const RECENT_MS = 1_000
/** A track that was seen once only and then this often not, was a flicker of the detector. */
const FLICKER_MISSES = 2
/** A picture full of noise must not fill the memory: above this the tracks go that were seen longest ago, and of those the shortest. */
const MOST_TRACKS = 200

/**
 * Follows objects from frame to frame as ByteTrack does (arXiv 2110.06864): confident detections are matched first, the weak ones then
 * continue what is left, so that an object is not lost while it is half hidden. Motion is predicted with constant velocity; what
 * stands is looked for where it stands, so that it does not walk away with a passer-by.
 */
export function createTracker(options: TrackerOptions = {}): Tracker {
  const { highConfidence: begin = 0.4, lowConfidence = 0.15, keepMs = 4_000 } = options
  let tracks: TrackState[] = []
  let nextId = 1
  let nowMs = -Infinity

  const likeness = (track: TrackState, found: Detection) =>
    interchangeable(track.label(), found.rotulo) ? track.likeness(found) : 0
  const nearness = (track: TrackState, found: Detection) =>
    interchangeable(track.label(), found.rotulo) ? track.nearness(found) : 0

  return {
    update(detections, timestampMs, enlarged = []) {
      const highConfidence = typeof begin === 'function' ? begin() : begin
      if (timestampMs < nowMs) tracks = []
      nowMs = timestampMs
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
      // A weak detection brings a lost track back only where the track is expected: it may be another object's shadow.
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
