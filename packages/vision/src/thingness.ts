import type { Box } from '@vigia/ias/geometry'

/** Decides whether the detections of one track show a thing that the model takes for a person. */
export interface Thingness {
  /** Adds a detection of the track. Times must not decrease; stream ms. */
  add(atMs: number, box: Box, confianca: number): void
  isThing(): boolean
  hasMoved(): boolean
  /** Whether the track shows a person without doubt: it moved, or its confidence was high where no thing was known. */
  isPerson(): boolean
}

/** Minimum age of a thing. */
const AGE_MS = 3_000
/** A track whose mean confidence is below MEAN, and whose confidence never reached PEAK, may be a thing. */
const MEAN = 0.5
const PEAK = 0.6
/** Time constants of the mean confidence, and of the box, whose edges jitter. */
const SCORE_TAU_MS = 4_000
const BOX_TAU_MS = 600
/** Distance of a movement, as a fraction of the width and the height of the object. */
const MOVED = { x: 1, y: 0.5 }

/**
 * Stones, cones and signs get detections of people for hours: always in one position, with a low confidence. A person
 * who sits or lies still has moved before, or has a higher confidence. Pure.
 * @param onThing the first detection has the position of a known thing (thing-memory.ts). One high confidence of
 * somebody in front of it proves nothing there.
 */
export function createThingness(atMs: number, box: Box, confianca: number, onThing = false): Thingness {
  const beganMs = atMs
  const began = box
  let smooth = box
  let score = confianca
  let lastMs = atMs
  let peak = confianca
  let moved = false

  return {
    add(atMs, box, confianca) {
      const elapsedMs = atMs - lastMs
      lastMs = atMs
      smooth = towards(smooth, box, 1 - Math.exp(-elapsedMs / BOX_TAU_MS))
      // A long time between two inferences must not let one confidence replace the mean.
      score += (confianca - score) * (1 - Math.exp(-Math.min(elapsedMs, 1_000) / SCORE_TAU_MS))
      peak = Math.max(peak, confianca)
      moved ||= shift(began.x, began.w, smooth.x, smooth.w) > MOVED.x
      moved ||= shift(began.y, began.h, smooth.y, smooth.h) > MOVED.y
    },
    isThing: () => !moved && score < MEAN && (onThing || (peak < PEAK && lastMs - beganMs >= AGE_MS)),
    hasMoved: () => moved,
    isPerson: () => moved || (peak >= PEAK && !onThing),
  }
}

const towards = (from: Box, to: Box, gain: number): Box => {
  const step = (a: number, b: number) => a + (b - a) * gain
  return { x: step(from.x, to.x), y: step(from.y, to.y), w: step(from.w, to.w), h: step(from.h, to.h) }
}

/** Movement of the edge that moved less, as a fraction of the length. */
const shift = (from: number, length: number, to: number, newLength: number): number =>
  Math.min(Math.abs(to - from), Math.abs(to + newLength - from - length)) / Math.max(length, 1e-6)
