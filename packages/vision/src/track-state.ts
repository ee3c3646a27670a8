import { type Box, clip } from './boxes.ts'
import type { Detection } from './detection.ts'

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
  /** Frames in a row in which it was seen; 0 while it is not. */
  readonly hits: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** Frames in a row in which it was not seen. */
  readonly misses: number
  /** Not seen in this frame. */
  readonly predicted: boolean
}

/** Weight of a new detection against the prediction, for place and velocity (an alpha-beta filter) and for size. */
const ALPHA = 0.8
const BETA = 0.5
const SIZE_ALPHA = 0.6
/** An object that is not seen slows down: its velocity halves in this time. Else a prediction runs out of the picture. */
const COAST_HALF_LIFE_MS = 700
/** Label votes fade, so that a long track can still change its mind. */
const VOTE_DECAY = 0.95

export type TrackState = ReturnType<typeof createTrackState>

/** What the tracker remembers of one object. Times are stream ms, lengths fractions of the frame. */
export function createTrackState(id: number, detection: Detection, timestampMs: number) {
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
  const votes = new Map([[detection.rotulo, detection.confianca]])

  const expected = (): Box => ({ x: place.x - size.w / 2, y: place.y - size.h / 2, ...size })

  function label(): string {
    let best = last.rotulo
    for (const [candidate, weight] of votes) if (weight > (votes.get(best) ?? 0)) best = candidate
    return best
  }

  return {
    expected,
    label,
    lastSeenMs: () => lastSeenMs,
    misses: () => misses,
    matches: () => matches,

    /** Moves the place to where the object should be now. */
    predict(nowMs: number): void {
      const elapsed = nowMs - atMs
      if (misses > 0) {
        const slower = 0.5 ** (elapsed / COAST_HALF_LIFE_MS)
        velocity = { x: velocity.x * slower, y: velocity.y * slower }
      }
      place = {
        x: Math.min(1, Math.max(0, place.x + velocity.x * elapsed)),
        y: Math.min(1, Math.max(0, place.y + velocity.y * elapsed)),
      }
      atMs = nowMs
    },

    /** Takes a detection of now, after `predict`. */
    match(found: Detection, nowMs: number): void {
      const error = { x: found.x + found.w / 2 - place.x, y: found.y + found.h / 2 - place.y }
      // Two frames with one timestamp say nothing about velocity.
      const elapsed = nowMs - lastSeenMs
      if (elapsed > 0) {
        const gain = (matches === 1 ? 1 : BETA) / elapsed
        velocity = { x: velocity.x + error.x * gain, y: velocity.y + error.y * gain }
      }
      place = { x: place.x + error.x * ALPHA, y: place.y + error.y * ALPHA }
      size = { w: size.w + (found.w - size.w) * SIZE_ALPHA, h: size.h + (found.h - size.h) * SIZE_ALPHA }
      for (const [candidate, weight] of votes) votes.set(candidate, weight * VOTE_DECAY)
      votes.set(found.rotulo, (votes.get(found.rotulo) ?? 0) + found.confianca)
      last = found
      lastSeenMs = nowMs
      hits += 1
      matches += 1
      misses = 0
    },

    /** No detection of now belongs to it. */
    miss(): void {
      hits = 0
      misses += 1
    },

    view(): Track {
      const box = misses === 0 ? { x: last.x, y: last.y, w: last.w, h: last.h } : clip(expected())
      return {
        id,
        rotulo: label(),
        confianca: last.confianca,
        box,
        hits,
        firstSeenMs,
        lastSeenMs,
        misses,
        predicted: misses > 0,
      }
    },
  }
}
