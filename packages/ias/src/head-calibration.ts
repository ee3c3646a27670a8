/**
 * Every constant of a verdict on fire, smoke, helmet and vest. `npm run lab -- train-heads` computes the weights and
 * prints the tables behind the limits (apps/model-tools/training/README.md).
 */

/** Weights of two kinds of evidence, then the bias. */
type Weights = readonly [number, number, number]

/**
 * Model → label → weights. `fire`, `smoke`: logit of the head (for smoke the higher of smoke and fire), logit of the
 * first model. `no_hardhat`, `no_vest`: logit of missing, logit of worn. A test compares them with
 * `apps/model-tools/training/heads.json`.
 */
export const headWeights: Readonly<Record<string, Readonly<Record<string, Weights>>>> = {
  'fogo-mobilenetv2-300': {
    fire: [0.9358, 0.7385, 0.1199],
    smoke: [1.0029, 0.8108, 1.1588],
  },
  'epi-mobilenetv2-300': {
    no_hardhat: [0.5369, -0.5991, 0.0531],
    no_vest: [0.5336, -0.3942, -0.2678],
  },
}
/** The probability of an installer's classifier is taken as it is. */
const uncalibrated: Weights = [1, 0, 0]

/** Probability from which fire and smoke are confirmed surely. They are never refuted. */
export const FIRE_CONFIRM = 0.8

interface ItemLimits {
  /** Probability from which the missing item is confirmed surely. */
  readonly confirm: number
  /** Probability up to which it is refuted; null: never. */
  readonly refute: number | null
}

/**
 * Limits of a missing item. Helmets, by scene: 0.65 confirms 74 % of the bare heads and 9.5 % of the worn helmets, and
 * 0.02 refutes 0.3 % of the bare heads. No vests of another origin than the training's were available.
 */
const itemLimits: Readonly<Record<string, ItemLimits>> = {
  no_hardhat: { confirm: 0.65, refute: 0.02 },
  no_vest: { confirm: 0.8, refute: null },
}
/** Limits of a classifier with unknown errors. */
const unknownLimits: ItemLimits = { confirm: 0.8, refute: null }

/** Probability of the worn item without which a missing one is not refuted: absence of both proves nothing. */
export const WORN_SEEN = 0.5

/** Confidences are clipped, because logit is infinite at 0 and 1. */
const CLIP = 0.01
/** Confidence of the first model where none is known. */
const FIRST_UNKNOWN = 0.3

/**
 * Probability of flames or smoke at a place, where half of the alarms are real. `second`: of the classifier `modelo`;
 * `first`: of the edge's detector.
 */
export const burningProbability = (modelo: string, rotulo: string, second: number, first: number | null): number =>
  probabilityOf(modelo, rotulo, second, first ?? FIRST_UNKNOWN)

/** Probability that the item is missing, from the probabilities of the classifier `modelo`. */
export const missingProbability = (modelo: string, rotulo: string, missing: number, worn: number): number =>
  probabilityOf(modelo, rotulo, missing, worn)

/** Limits of the probability that an item is missing. */
export const limitsOf = (modelo: string, rotulo: string): ItemLimits =>
  (modelo in headWeights ? itemLimits[rotulo] : undefined) ?? unknownLimits

function probabilityOf(modelo: string, rotulo: string, one: number, other: number): number {
  const [weightOne, weightOther, bias] = headWeights[modelo]?.[rotulo] ?? uncalibrated
  return 1 / (1 + Math.exp(-(weightOne * logit(one) + weightOther * logit(other) + bias)))
}

const logit = (value: number): number => {
  const clipped = Math.min(1 - CLIP, Math.max(CLIP, value))
  return Math.log(clipped / (1 - clipped))
}
