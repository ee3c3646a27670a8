import type { Detection } from '@vigia/ias/detection'
import { type Box, clip } from '@vigia/ias/geometry'
import { closeness, type Slack } from './association.ts'
import { createStillness } from './stillness.ts'
import { createTrail, type TrailPoint } from './trail.ts'

/** One object over time. */
export interface Track {
  /** Never used twice by one tracker. */
  readonly id: number
  /** The label seen most, weighted by confidence: a van that is once called a truck stays a car. */
  readonly rotulo: string
  /** Of the last detection. */
  readonly confianca: number
  /** The last detection's box, or where the object is expected now when `predicted`; fractions of the frame. */
  readonly box: Box
  /** Frames in a row in which it was seen, not counting those in which it was not looked at; 0 once it was missed. */
  readonly hits: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** Frames in a row in which it was looked at and not seen. */
  readonly misses: number
  /** Not seen in this frame. */
  readonly predicted: boolean
  /** For how long it had stood where it stands when it was last seen, ms; 0: it moves, or has come to rest less than two seconds ago. */
  readonly stillMs: number
  /** Where it was seen, over its whole life, thinned out: at most 64, oldest first, the last sighting last. */
  readonly trail: readonly TrailPoint[]
}

/** Weight of a new detection against the prediction, for place and velocity (an alpha-beta filter) and for size. */
const ALPHA = 0.8
const BETA = 0.5
const SIZE_ALPHA = 0.6
/** An object that is not seen slows down: its velocity halves in this time. Else a prediction runs out of the picture. */
const COAST_HALF_LIFE_MS = 2_000
/** Label votes fade, so that a long track can still change its mind. */
const VOTE_DECAY = 0.95
/** Where a track is found again, in standard deviations of its box: right where it should be, … */
const SLACK: Slack = { x: 0.35, y: 0.12 }
/** … and further off by this much of the above a second since it was seen, since people stop and turn; a track of one sighting has no velocity yet. */
const SLACK_GROWTH = 3.5
const SLACK_GROWTH_AT_FIRST = 4.5
const MOST_SLACK = 6
/** What stood and was not seen for longer than this, ms, is looked for only where it stood: whoever comes near is somebody else. */
const GONE_MS = 1_000
/** Who is not seen and should be at the border of the picture by now has left it after this long, ms: who comes in there next is somebody else. */
const LEFT_KEEP_MS = 1_000
const BORDER = 0.005
/** What stood for long is looked for where it stood for this long at most, ms. */
const STOOD_KEEP_MS = 30_000

/** Who is seen in enlarged looks only is not missed for this long, ms, while there is none at its place. */
const HOLD_MS = 2_000

export type TrackState = ReturnType<typeof createTrackState>

/** What the tracker remembers of one object. Times are stream ms, lengths fractions of the frame. */
export function createTrackState(id: number, detection: Detection, timestampMs: number, enlargedNow: boolean) {
  const firstSeenMs = timestampMs
  let lastSeenMs = timestampMs
  /** Time for which the place below holds. */
  let atMs = timestampMs
  let place = { x: detection.x + detection.w / 2, y: detection.y + detection.h / 2 }
  let velocity = { x: 0, y: 0 }
  let size = { w: detection.w, h: detection.h }
  let last = detection
  let hits = 1
  let matches = 1
  let misses = 0
  let seen = true
  let wasEnlarged = enlargedNow
  const votes = new Map([[detection.rotulo, detection.confianca]])
  let label = detection.rotulo
  const trail = createTrail()
  const stillness = createStillness()
  trail.add(timestampMs, boxOf(detection))
  stillness.add(timestampMs, boxOf(detection))

  /** Where it should be now: what stood is looked for where it stood. */
  let expected: Box = boxOf(detection)
  const isGone = () => atMs - lastSeenMs > GONE_MS

  function vote(rotulo: string, confianca: number): void {
    for (const [candidate, weight] of votes) votes.set(candidate, weight * VOTE_DECAY)
    votes.set(rotulo, (votes.get(rotulo) ?? 0) + confianca)
    label = rotulo
    for (const [candidate, weight] of votes) if (weight > (votes.get(label) ?? 0)) label = candidate
  }

  return {
    label: () => label,
    lastSeenMs: () => lastSeenMs,
    matches: () => matches,
    misses: () => misses,
    seen: () => seen,
    /** How long it is kept while it is not seen, ms: what stood there is probably there still, what moves is soon elsewhere, or has left. */
    keepMs(movingMs: number): number {
      if (stillness.stillMs() > 0) return Math.max(movingMs, Math.min(STOOD_KEEP_MS, stillness.stillMs()))
      return atBorder(expected) ? Math.min(movingMs, LEFT_KEEP_MS) : movingMs
    },

    /** How likely `found` is this object, 0–1, given how long it was not seen. After `predict`. */
    likeness(found: Box): number {
      const growth = matches === 1 ? SLACK_GROWTH_AT_FIRST : SLACK_GROWTH
      const wider = isGone() && stillness.place() ? 1 : Math.min(MOST_SLACK, 1 + (growth * (atMs - lastSeenMs)) / 1000)
      return closeness(expected, found, { x: SLACK.x * wider, y: SLACK.y * wider })
    },

    /** The same right where it should be, for detections that prove little. */
    nearness: (found: Box): number => closeness(expected, found, SLACK),

    /** Moves the place to where the object should be now. */
    predict(nowMs: number): void {
      const elapsed = nowMs - atMs
      if (!seen) {
        const slower = 0.5 ** (elapsed / COAST_HALF_LIFE_MS)
        velocity = { x: velocity.x * slower, y: velocity.y * slower }
      }
      place = {
        x: Math.min(1, Math.max(0, place.x + velocity.x * elapsed)),
        y: Math.min(1, Math.max(0, place.y + velocity.y * elapsed)),
      }
      atMs = nowMs
      const moved = { x: place.x - size.w / 2, y: place.y - size.h / 2, ...size }
      expected = (isGone() && stillness.place()) || moved
    },

    /** Takes a detection of now, after `predict`. `enlarged`: in a part of the frame that was looked at enlarged. */
    match(found: Detection, nowMs: number, enlarged: boolean): void {
      const error = { x: found.x + found.w / 2 - place.x, y: found.y + found.h / 2 - place.y }
      // Two frames with one timestamp say nothing about velocity.
      const elapsed = nowMs - lastSeenMs
      if (elapsed > 0) {
        const gain = (matches === 1 ? 1 : BETA) / elapsed
        velocity = { x: velocity.x + error.x * gain, y: velocity.y + error.y * gain }
      }
      place = { x: place.x + error.x * ALPHA, y: place.y + error.y * ALPHA }
      size = { w: size.w + (found.w - size.w) * SIZE_ALPHA, h: size.h + (found.h - size.h) * SIZE_ALPHA }
      vote(found.rotulo, found.confianca)
      trail.add(nowMs, boxOf(found))
      stillness.add(nowMs, boxOf(found))
      last = found
      lastSeenMs = nowMs
      hits += 1
      matches += 1
      misses = 0
      seen = true
      wasEnlarged = enlarged
    },

    /** No detection of now belongs to it. `isEnlarged`: whether a box was looked at enlarged in this frame. */
    miss(isEnlarged: (box: Box) => boolean): void {
      seen = false
      if (wasEnlarged && atMs - lastSeenMs <= HOLD_MS && !isEnlarged(clip(expected))) return
      hits = 0
      misses += 1
    },

    view: (): Track => ({
      id,
      rotulo: label,
      confianca: last.confianca,
      box: seen ? boxOf(last) : clip(expected),
      hits,
      firstSeenMs,
      lastSeenMs,
      misses,
      predicted: !seen,
      stillMs: stillness.stillMs(),
      trail: trail.points(),
    }),
  }
}

const boxOf = ({ x, y, w, h }: Box): Box => ({ x, y, w, h })

const atBorder = ({ x, y, w, h }: Box): boolean => x < BORDER || y < BORDER || x + w > 1 - BORDER || y + h > 1 - BORDER
