import { type Appearance, blend } from '@vigia/ias/appearance'
import type { Detection } from '@vigia/ias/detection'
import { type Box, clip } from '@vigia/ias/geometry'
import { closeness, type Slack } from './association.ts'
import { createStillness } from './stillness.ts'
import { createThingness } from './thingness.ts'
import { createTrail, type TrailPoint } from './trail.ts'

/** One object over time. */
export interface Track {
  /** Unique within one tracker. */
  readonly id: number
  /** The most frequent label, weighted by confidence: a van with one detection as a truck stays a car. */
  readonly rotulo: string
  /** Confidence of the last detection. */
  readonly confianca: number
  /** The last detection's box, or the expected box when `predicted`; fractions of the frame. */
  readonly box: Box
  /** Consecutive detections, without frames that had no inference on the object; 0 after a miss. */
  readonly hits: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** Consecutive frames with an inference on the object and no detection. */
  readonly misses: number
  /** Without a detection in this frame. */
  readonly predicted: boolean
  /** Time at rest up to the last detection; 0: the object moves, or has rested for less than two seconds. */
  readonly stillMs: number
  /** A thing that the model takes for a person. It never moved, and its confidence stays low. */
  readonly thing: boolean
  /** Mean colours of the detections; absent: unknown. */
  readonly appearance?: Appearance
  /** Positions over the whole life, thinned out: at most 64, oldest first, including the last detection. */
  readonly trail: readonly TrailPoint[]
}

/** Weight of a new detection against the prediction, for position and velocity (alpha-beta filter) and for size. */
const ALPHA = 0.8
const BETA = 0.5
const SIZE_ALPHA = 0.6
/** Half-life of the velocity without detections. Without this decay a prediction leaves the picture. */
const COAST_HALF_LIFE_MS = 2_000
/** Label votes decay, so that a long track can still change its label. */
const VOTE_DECAY = 0.95
/** Position tolerance at the expected position, as a fraction of the box. */
const SLACK: Slack = { x: 0.25, y: 0.12 }
/**
 * Growth of SLACK per second without a detection, because people stop and turn. A track of one detection has no
 * velocity yet.
 */
const SLACK_GROWTH = 3.5
const SLACK_GROWTH_AT_FIRST = 6.5
const MOST_SLACK = 6
/**
 * After this time without a detection a resting object is only matched at its position: a nearby detection is another
 * object.
 */
const GONE_MS = 1_000
/**
 * After this time without a detection an object expected at the border has left the picture: a new detection there is
 * another object.
 */
const LEFT_KEEP_MS = 1_000
const BORDER = 0.005
/** Longest time for which a resting object, or a thing, is kept without detections. */
const STOOD_KEEP_MS = 30_000

/** Minimum confidence of a detection whose colours count, and the weight of one in the mean of many. */
const SURE_COLOURS = 0.4
const COLOUR_GAIN = 0.1

/** For this time a track seen only in enlarged inferences has no misses in frames without such an inference. */
const HOLD_MS = 2_000

export type TrackState = ReturnType<typeof createTrackState>

/** Facts about a detection besides its box. */
export interface DetectionTraits {
  /** The detection lies in an enlarged region. */
  readonly enlarged: boolean
  /** null: unknown. */
  readonly appearance: Appearance | null
  /** A known thing has this position. */
  readonly onThing?: boolean
}

/** The tracker's state of one object. Times are stream ms, lengths fractions of the frame. */
export function createTrackState(id: number, detection: Detection, timestampMs: number, traits: DetectionTraits) {
  const firstSeenMs = timestampMs
  let lastSeenMs = timestampMs
  const motion = createTrackMotion(detection, timestampMs)
  let last = detection
  let hits = 1
  let matches = 1
  let misses = 0
  let seen = true
  let wasEnlarged = traits.enlarged
  const colours = createMeanColours(traits.appearance)
  const labels = createLabelVote(detection)
  const trail = createTrail()
  const stillness = createStillness()
  const thingness = createThingness(timestampMs, boxOf(detection), detection.confianca, traits.onThing)
  const isThing = () => labels.winner() === 'person' && thingness.isThing()
  trail.add(timestampMs, boxOf(detection))
  stillness.add(timestampMs, boxOf(detection))

  /** Expected box now: that of its rest, or the prediction. */
  let expected: Box = boxOf(detection)
  const isGone = () => motion.atMs() - lastSeenMs > GONE_MS

  return {
    label: labels.winner,
    lastSeenMs: () => lastSeenMs,
    matches: () => matches,
    misses: () => misses,
    seen: () => seen,
    appearance: colours.mean,
    hasMoved: () => thingness.hasMoved(),
    isPerson: () => thingness.isPerson(),
    box: () => boxOf(last),
    rests: () => stillness.place() !== null,
    /**
     * Time for which the track is kept without detections. A resting object is probably still at its position, while a
     * moving one is soon elsewhere or has left.
     */
    keepMs(movingMs: number): number {
      if (isThing()) return STOOD_KEEP_MS
      if (stillness.stillMs() > 0) return Math.max(movingMs, Math.min(STOOD_KEEP_MS, stillness.stillMs()))
      return atBorder(expected) ? Math.min(movingMs, LEFT_KEEP_MS) : movingMs
    },

    /** Likelihood, 0–1, that `found` is this object, given the time without detections. Call `predict` first. */
    likeness(found: Box): number {
      const growth = matches === 1 ? SLACK_GROWTH_AT_FIRST : SLACK_GROWTH
      const wider =
        isGone() && stillness.place() ? 1 : Math.min(MOST_SLACK, 1 + (growth * (motion.atMs() - lastSeenMs)) / 1000)
      return closeness(expected, found, { x: SLACK.x * wider, y: SLACK.y * wider })
    },

    /** Likelihood at the expected position only, for weak detections. */
    nearness: (found: Box): number => closeness(expected, found, SLACK),

    /** Moves the expected position to the current time. */
    predict(frameMs: number): void {
      motion.predict(frameMs, seen)
      expected = (isGone() && stillness.place()) || motion.box()
    },

    /** Assigns a detection of the current frame, after `predict`. */
    match(found: Detection, frameMs: number, { enlarged, appearance }: DetectionTraits): void {
      motion.match(found, { elapsedMs: frameMs - lastSeenMs, isSecond: matches === 1 })
      labels.add(found)
      trail.add(frameMs, boxOf(found))
      stillness.add(frameMs, boxOf(found))
      thingness.add(frameMs, boxOf(found), found.confianca)
      last = found
      lastSeenMs = frameMs
      hits += 1
      matches += 1
      misses = 0
      seen = true
      wasEnlarged = enlarged
      if (appearance && found.confianca >= SURE_COLOURS) colours.add(appearance)
    },

    /**
     * No detection of the current frame belongs to the track. `isEnlarged`: whether this frame had an enlarged
     * inference on a box.
     */
    miss(isEnlarged: (box: Box) => boolean): void {
      seen = false
      if (wasEnlarged && motion.atMs() - lastSeenMs <= HOLD_MS && !isEnlarged(clip(expected))) return
      hits = 0
      misses += 1
    },

    view: (): Track => ({
      id,
      rotulo: labels.winner(),
      confianca: last.confianca,
      box: seen ? boxOf(last) : clip(expected),
      hits,
      firstSeenMs,
      lastSeenMs,
      misses,
      predicted: !seen,
      stillMs: stillness.stillMs(),
      thing: isThing(),
      ...colours.view(),
      trail: trail.points(),
    }),
  }
}

/** Position, size and velocity of an object, by an alpha-beta filter. */
function createTrackMotion(detection: Detection, timestampMs: number) {
  /** Time of `place`. */
  let atMs = timestampMs
  let place = { x: detection.x + detection.w / 2, y: detection.y + detection.h / 2 }
  let velocity = { x: 0, y: 0 }
  let size = { w: detection.w, h: detection.h }
  return {
    atMs: () => atMs,
    box: (): Box => ({ x: place.x - size.w / 2, y: place.y - size.h / 2, ...size }),
    predict(frameMs: number, seen: boolean): void {
      const elapsed = frameMs - atMs
      if (!seen) {
        const slower = 0.5 ** (elapsed / COAST_HALF_LIFE_MS)
        velocity = { x: velocity.x * slower, y: velocity.y * slower }
      }
      place = {
        x: Math.min(1, Math.max(0, place.x + velocity.x * elapsed)),
        y: Math.min(1, Math.max(0, place.y + velocity.y * elapsed)),
      }
      atMs = frameMs
    },
    /** `elapsedMs`: since the last detection. */
    match(found: Box, { elapsedMs, isSecond }: { readonly elapsedMs: number; readonly isSecond: boolean }): void {
      const error = { x: found.x + found.w / 2 - place.x, y: found.y + found.h / 2 - place.y }
      // Two frames with one timestamp determine no velocity.
      if (elapsedMs > 0) {
        const gain = (isSecond ? 1 : BETA) / elapsedMs
        velocity = { x: velocity.x + error.x * gain, y: velocity.y + error.y * gain }
      }
      place = { x: place.x + error.x * ALPHA, y: place.y + error.y * ALPHA }
      size = { w: size.w + (found.w - size.w) * SIZE_ALPHA, h: size.h + (found.h - size.h) * SIZE_ALPHA }
    },
  }
}

/** The label of an object: that of most of its detections, of which the newest count most. */
function createLabelVote({ rotulo: first, confianca: firstWeight }: Detection) {
  const votes = new Map([[first, firstWeight]])
  let label = first
  return {
    winner: () => label,
    add({ rotulo, confianca }: Detection): void {
      for (const [candidate, weight] of votes) votes.set(candidate, weight * VOTE_DECAY)
      votes.set(rotulo, (votes.get(rotulo) ?? 0) + confianca)
      label = rotulo
      for (const [candidate, weight] of votes) if (weight > (votes.get(label) ?? 0)) label = candidate
    },
  }
}

/** The mean of the colours of an object. */
function createMeanColours(first: Appearance | null) {
  let mean = first
  let count = first ? 1 : 0
  return {
    /** null: unknown. */
    mean: () => mean,
    add(colours: Appearance): void {
      count++
      mean = mean ? blend(mean, colours, Math.max(COLOUR_GAIN, 1 / count)) : colours
    },
    view: () => mean && { appearance: mean },
  }
}

const boxOf = ({ x, y, w, h }: Box): Box => ({ x, y, w, h })

const atBorder = ({ x, y, w, h }: Box): boolean => x < BORDER || y < BORDER || x + w > 1 - BORDER || y + h > 1 - BORDER
