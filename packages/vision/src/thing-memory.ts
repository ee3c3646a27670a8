import type { Detection } from '@vigia/ias/detection'
import { type Box, iou } from '@vigia/ias/geometry'

/** Remembers where a thing gets weak detections of people. */
export interface ThingMemory {
  /** Adds the detections of one frame. `people`: boxes of objects that moved; a detection in one of them counts not. */
  learn(detections: readonly Detection[], people: readonly Box[], atMs: number): void
  /** Whether a known thing has this position. */
  isKnown(found: Detection): boolean
  /** Whether this detection shows a known thing. */
  isThing(found: Detection): boolean
}

interface Spot {
  box: Box
  /** Mean confidence of the detections and its variance. */
  score: number
  variance: number
  /** Detections, with a decay. */
  count: number
  readonly sinceMs: number
  lastMs: number
}

/** A detection from this confidence on shows a person. */
const PEAK = 0.6
/** A detection this much, and this many deviations, above the spot's mean is a person in front of the thing. */
const STRONGER = 0.2
const DEVIATIONS = 3
/** Overlap (intersection over union) of two detections of one thing. */
const SAME = 0.4
/** Minimum number of detections, and least time between the first and the last one, of a known thing. */
const DETECTIONS = 8
const AGE_MS = 3_000
/** Time constant of the count. */
const TAU_MS = 60_000
/** Weight of a new detection. */
const GAIN = 0.1
const MOST_SPOTS = 100

/**
 * A detector takes signs, cones and posts for people with a low confidence, at one position, for hours. Such a
 * detection must neither start a track nor continue that of a person who passed by. Pure.
 */
export function createThingMemory(): ThingMemory {
  let spots: Spot[] = []
  let lastMs: number | null = null

  const nearest = (box: Box): Spot | null => {
    let best: Spot | null = null
    let most = SAME
    for (const spot of spots) {
      const overlap = iou(spot.box, box)
      if (overlap < most) continue
      best = spot
      most = overlap
    }
    return best
  }

  const known = (found: Detection): Spot | null => {
    const spot = found.rotulo === 'person' ? nearest(found) : null
    return spot && spot.count >= DETECTIONS && spot.lastMs - spot.sinceMs >= AGE_MS ? spot : null
  }

  return {
    learn(detections, people, atMs) {
      // A long time between two inferences is no evidence against a thing.
      const elapsedMs = lastMs === null ? 0 : Math.min(1_000, atMs - lastMs)
      lastMs = atMs
      const decay = Math.exp(-elapsedMs / TAU_MS)
      for (const spot of spots) spot.count *= decay
      for (const { rotulo, confianca, ...box } of detections) {
        if (rotulo !== 'person' || confianca >= PEAK || people.some((one) => isCentreIn(box, one))) continue
        const spot = nearest(box)
        if (!spot) spots.push({ box, score: confianca, variance: 0, count: 1, sinceMs: atMs, lastMs: atMs })
        else if (spot.lastMs < atMs) {
          spot.box = towards(spot.box, box)
          const error = confianca - spot.score
          spot.score += error * GAIN
          spot.variance += (error * error - spot.variance) * GAIN
          spot.count++
          spot.lastMs = atMs
        }
      }
      spots = spots.filter(({ count }) => count > 0.5)
      if (spots.length > MOST_SPOTS) spots = spots.toSorted((a, b) => b.count - a.count).slice(0, MOST_SPOTS)
    },
    isKnown: (found) => known(found) !== null,
    isThing(found) {
      if (found.confianca >= PEAK) return false
      const spot = known(found)
      if (!spot) return false
      return found.confianca < spot.score + Math.max(STRONGER, DEVIATIONS * Math.sqrt(spot.variance))
    },
  }
}

const isCentreIn = ({ x, y, w, h }: Box, box: Box): boolean => {
  const [cx, cy] = [x + w / 2, y + h / 2]
  return cx >= box.x && cx <= box.x + box.w && cy >= box.y && cy <= box.y + box.h
}

const towards = (from: Box, to: Box): Box => {
  const step = (a: number, b: number) => a + (b - a) * GAIN
  return { x: step(from.x, to.x), y: step(from.y, to.y), w: step(from.w, to.w), h: step(from.h, to.h) }
}
