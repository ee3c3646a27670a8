import { areaOf, type Box, type Point } from '../geometry.ts'
import { createLineCrossing, type Direction } from '../line-crossing.ts'
import type { ObservedTrack } from '../observation.ts'

/** One object and its crossings of the line. It may continue in another track. */
export interface Crosser {
  readonly rotulo: string
  /** Whether it has been found in the required number of consecutive frames. */
  established(): boolean
  /** Adds the detections of `track` since the last call, those of its trail included. */
  follow(track: ObservedTrack, streamMs: number): void
  /** The crossing that waits for its event, or whose event has fired shortly before. */
  crossed(): Crossing | null
  /** Distance from the line in widths of the object. */
  away(): number
  /** Whether the cooldown of this object in this direction allows an event. */
  hasCooled(direction: Direction, streamMs: number): boolean
  fired(direction: Direction, streamMs: number): void
}

export interface Crossing {
  readonly direction: Direction
  readonly atMs: number
  /** Number of crossings of this object up to this one. */
  readonly passage: number
  /** Highest confidence on the side before the line, and on the side beyond it since the crossing. */
  readonly before: number
  beyond: number
  counted: boolean
}

export interface CrosserOptions {
  readonly ends: readonly [Point, Point]
  /** Lower areas do not count as detections. */
  readonly minArea: number
  /** Consecutive frames with a detection after which the object is established. */
  readonly minFrames: number
  readonly cooldownMs: number
}

/**
 * Longest time between two tracks of one object in which it may cross. After a longer time the new track may be another
 * object, so it starts at its position.
 */
const JOIN_MS = 1_500
/** Time after a crossing within which the object must reach the required confidence and number of frames. */
const PENDING_MS = 2_000
/**
 * For this time after its event, an object that continues in another track does not cross again. The new track may
 * begin on the other side of the line without any movement of the object.
 */
const SAME_CROSSING_MS = 4_000

/**
 * The trail of `first` shows on which side of the line the object started. A crossing on that trail is in the past and
 * raises no event.
 */
export function createCrosser(first: ObservedTrack, streamMs: number, options: CrosserOptions): Crosser {
  const { ends, minArea, minFrames, cooldownMs } = options
  let line = createLineCrossing(ends)
  const firedAt: Partial<Record<Direction, number>> = {}
  /** Highest confidence on each side since the object last came to it. */
  let best = { [-1]: 0, 1: 0 }
  let crossed: Crossing | null = null
  let passages = 0
  let established = false
  let lastMs = Number.NEGATIVE_INFINITY
  let lastFiredMs = Number.NEGATIVE_INFINITY
  let trackId = first.id
  /** Whether the object continued in another track since its last event. */
  let changed = false

  function add(box: Box, confianca: number, atMs: number): void {
    if (atMs <= lastMs) return
    lastMs = atMs
    const direction = line.follow(box, atMs)
    const side = line.side()
    if (side !== 0 && areaOf(box) >= minArea) {
      best = { ...best, [side]: Math.max(best[side], confianca) }
      if (crossed && sideBeyond(crossed.direction) === side) crossed.beyond = best[side]
    }
    if (!direction) return
    const beyond = sideBeyond(direction)
    const origin = beyond === 1 ? -1 : 1
    if (changed && atMs - lastFiredMs < SAME_CROSSING_MS) return
    passages++
    crossed = {
      direction,
      atMs,
      passage: passages,
      before: best[origin],
      beyond: best[beyond],
      counted: false,
    }
    best = { ...best, [origin]: 0 }
  }

  function startAgain(): void {
    line = createLineCrossing(ends)
    best = { [-1]: 0, 1: 0 }
    crossed = null
  }

  for (const { atMs, box } of first.trail ?? []) if (atMs < streamMs) add(box, first.confianca, atMs)
  crossed = null

  return {
    rotulo: first.rotulo,
    established: () => established,
    follow(track, streamMs) {
      const isOther = track.id !== trackId
      if (isOther && streamMs - lastMs > JOIN_MS) startAgain()
      changed ||= isOther
      trackId = track.id
      for (const { atMs, box } of track.trail ?? []) if (atMs < streamMs) add(box, track.confianca, atMs)
      established ||= track.hits >= minFrames
      if (crossed && streamMs - crossed.atMs > PENDING_MS) crossed = null
      add(track.box, track.confianca, streamMs)
    },
    crossed: () => crossed,
    away: () => line.away(),
    hasCooled(direction, streamMs) {
      const before = firedAt[direction]
      return before === undefined || streamMs - before >= cooldownMs
    },
    fired(direction, streamMs) {
      firedAt[direction] = streamMs
      lastFiredMs = streamMs
      changed = false
    },
  }
}

const sideBeyond = (direction: Direction): 1 | -1 => (direction === 'ab' ? 1 : -1)
