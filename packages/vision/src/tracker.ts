import { type Appearance, likenessOf } from '@vigia/ias/appearance'
import type { Detection } from '@vigia/ias/detection'
import { areaOf, type Box, intersection, iou } from '@vigia/ias/geometry'
import { associate } from './association.ts'
import { interchangeable } from './coco-labels.ts'
import { createFrameAppearances } from './frame-appearances.ts'
import { contains } from './region-shape.ts'
import { createThingMemory } from './thing-memory.ts'
import { createTrackState, type DetectionTraits, type Track, type TrackState } from './track-state.ts'

export interface TrackerOptions {
  /**
   * Minimum confidence of a detection that is matched first and may start a track. Set it to the lowest `conf` in
   * force; use a function if that changes.
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
   * this frame contains it. Small people get inferences in turns. `measure`: measures the colours in a box of this
   * frame; without it only position and size decide.
   */
  update(
    detections: readonly Detection[],
    timestampMs: number,
    enlarged?: readonly Box[],
    measure?: (box: Box) => Appearance | null,
  ): Track[]
}

/** Minimum likelihood of a pair, 0–1: about 2.6 standard deviations. */
const MINIMUM = 0.03
/**
 * A track lost for less than this competes equally with active tracks, so that a neighbour does not take its detection.
 */
const RECENT_MS = 1_000
/** A track with one detection and this many misses was a flicker of the detector. */
const FLICKER_MISSES = 2
/**
 * Likeness of colours from which an object can be the same without doubt, and up to which it is hardly the same. A
 * change of light must not end a track, so the likelihood of a pair falls to a tenth at most.
 */
const SAME_COLOURS = 0.8
const OTHER_COLOURS = 0.6
const LEAST_COLOURS = 0.1
/** Factor for a detection behind others, without known colours, and a track that was not detected just before. */
const HIDDEN_COLOURS = 0.1
/**
 * An unmatched detection of a person is a second box of a stronger one from this intersection over union on. It is the
 * box of a part if this share of it lies in the stronger one.
 */
const SECOND_BOX = 0.4
const PART_OF_BOX = 0.8
/** Limit for noisy pictures: above it the tracks with the oldest detections are dropped, and of those the shortest. */
const MOST_TRACKS = 200

/**
 * Follows objects between frames like ByteTrack (arXiv 2110.06864). Confident detections are matched first. Weak ones
 * then continue the remaining tracks, so that a half hidden object is not lost. Motion is predicted with constant
 * velocity. A resting object is matched at its position, so that a passer-by does not take over its track. Other
 * colours of the clothes lower the likelihood of a pair. Weak detections of known things continue no object that moved.
 */
export function createTracker(options: TrackerOptions = {}): Tracker {
  const { highConfidence: begin = 0.4, lowConfidence = 0.15, keepMs = 4_000 } = options
  let tracks: TrackState[] = []
  let nextId = 1
  let lastMs = -Infinity
  let things = createThingMemory()

  return {
    update(detections, timestampMs, enlarged = [], measure = () => null) {
      const highConfidence = typeof begin === 'function' ? begin() : begin
      if (timestampMs < lastMs) {
        tracks = []
        things = createThingMemory()
      }
      lastMs = timestampMs
      tracks = tracks.filter((track) => timestampMs - track.lastSeenMs() <= track.keepMs(keepMs))
      for (const track of tracks) track.predict(timestampMs)

      const isEnlarged = (box: Box) => enlarged.some((region) => contains(region, box))
      const usable = detections.filter(({ w, h }) => w > 0 && h > 0)
      const ofThings = new Set(usable.filter(things.isThing))
      const appearanceOf = createFrameAppearances(usable, measure)
      const mayBe = (track: TrackState, found: Detection) =>
        interchangeable(track.label(), found.rotulo) && !(ofThings.has(found) && track.hasMoved())
      const likeness = (track: TrackState, found: Detection) =>
        mayBe(track, found) ? weighed(track.likeness(found), track, found, appearanceOf) : 0
      const nearness = (track: TrackState, found: Detection) =>
        mayBe(track, found) ? weighed(track.nearness(found), track, found, appearanceOf) : 0
      const traitsOf = (found: Detection): DetectionTraits => ({
        enlarged: isEnlarged(found),
        appearance: appearanceOf(found),
        onThing: things.isKnown(found),
      })
      const high = usable.filter(({ confianca }) => confianca >= highConfidence)
      const low = usable.filter(({ confianca }) => confianca < highConfidence && confianca >= lowConfidence)
      const isRecent = (track: TrackState) => track.seen() || timestampMs - track.lastSeenMs() <= RECENT_MS
      const recent = tracks.filter(isRecent)
      const lost = tracks.filter((track) => !isRecent(track))

      const first = associate(recent, high, likeness, MINIMUM)
      const second = associate(first.lefts, low, nearness, MINIMUM)
      const third = associate(lost, first.rights, likeness, MINIMUM)
      // A weak detection continues a lost track only where the object rests, because it may be the shadow of another
      // object.
      const resting = third.lefts.filter((track) => track.rests())
      const fourth = associate(resting, second.rights, nearness, MINIMUM)
      const pairs = [first, second, third, fourth].flatMap((one) => one.pairs)
      for (const { left, right } of pairs) left.match(right, timestampMs, traitsOf(right))
      const moving = third.lefts.filter((track) => !track.rests())
      for (const track of [...second.lefts, ...fourth.lefts, ...moving]) track.miss(isEnlarged)
      tracks = tracks.filter((track) => !(track.matches() === 1 && track.misses() >= FLICKER_MISSES))
      for (const found of third.rights) {
        if (ofThings.has(found) || high.some((other) => isSecond(found, other))) continue
        tracks.push(createTrackState(nextId++, found, timestampMs, traitsOf(found)))
      }
      const people = tracks.filter((track) => track.seen() && track.isPerson()).map((track) => track.box())
      things.learn(usable, people, timestampMs)
      if (tracks.length > MOST_TRACKS) {
        const worth = (a: TrackState, b: TrackState) => b.lastSeenMs() - a.lastSeenMs() || b.matches() - a.matches()
        tracks = tracks.toSorted(worth).slice(0, MOST_TRACKS)
      }
      return tracks.map((track) => track.view())
    },
  }
}

/** `near`, the likelihood by position and size, lowered for other colours. */
function weighed(
  near: number,
  track: TrackState,
  found: Detection,
  appearanceOf: (found: Detection) => Appearance | null,
): number {
  const known = near < MINIMUM ? null : track.appearance()
  if (!known) return near
  const colours = appearanceOf(found)
  if (!colours) return track.seen() ? near : near * HIDDEN_COLOURS
  const same = (likenessOf(known, colours) - OTHER_COLOURS) / (SAME_COLOURS - OTHER_COLOURS)
  return near * Math.min(1, Math.max(LEAST_COLOURS, same))
}

/** Parked vehicles may overlap this much, so they have no second boxes. */
const isSecond = (found: Detection, shown: Detection): boolean =>
  found.rotulo === 'person' &&
  shown.rotulo === 'person' &&
  shown.confianca > found.confianca &&
  (iou(shown, found) > SECOND_BOX || intersection(shown, found) > PART_OF_BOX * areaOf(found))
