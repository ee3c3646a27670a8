import type { Detection } from '@vigia/ias/detection'
import { areaOf, type Box, clip } from '@vigia/ias/geometry'
import { MIN_SIDE } from './second-model.ts'
import { surroundings } from './surroundings.ts'

/** Weights of one label (manifest.ts, `reavalia`). */
export interface Weights {
  /** Lowest confidence of a proposal. */
  readonly minimo: number
  readonly detector: number
  readonly area: number
  readonly constante: number
}

/** Region of twice the box's longer side, as in the training of the classifiers. */
export const cropContext = { factor: 2, minSide: MIN_SIDE }

/** Minimum share of the frame and least distance of a probability from 0 and 1, so that logarithms stay finite. */
const LEAST_AREA = 1e-5
const LEAST_ODDS = 1e-6

const logit = (p: number): number => {
  const kept = Math.min(1 - LEAST_ODDS, Math.max(LEAST_ODDS, p))
  return Math.log(kept / (1 - kept))
}

/**
 * Confidence of a proposal after its crop got the probability `rating`. A logistic function of both and of the size
 * (apps/model-tools/training/second.py).
 */
export function rescored(proposal: Detection, rating: number, { detector, area, constante }: Weights): number {
  const size = area * Math.log(Math.max(LEAST_AREA, areaOf(proposal)))
  return 1 / (1 + Math.exp(-(logit(rating) + detector * logit(proposal.confianca) + size + constante)))
}

/** The region of a proposal that the classifier rates, in fractions of the frame. */
export function cropOf(box: Box, frame: { readonly width: number; readonly height: number }): Box {
  const { left, top, width, height } = surroundings(box, frame, cropContext)
  return clip({ x: left / frame.width, y: top / frame.height, w: width / frame.width, h: height / frame.height })
}
