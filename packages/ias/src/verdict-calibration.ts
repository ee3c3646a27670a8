import { VEICULOS } from './catalogue-entry.ts'

/**
 * Every constant of a verdict on people and vehicles. `packages/vision/README.md`, "Second opinion", has the curve of
 * each. `npm run lab -- eval --verificador` measures the result (docs/quality.md, "Verifier").
 */

/** Quality of the picture around a box, in its own pixels. */
export interface CutQuality {
  /** Standard deviation of the sensor noise, grey levels. */
  readonly noise: number
  /** Mean brightness, grey levels. */
  readonly light: number
  /** Second difference of brightness at edges, as a fraction of the first; null: the cut has no edge. */
  readonly sharpness: number | null
}

/** Sides of the regions, as multiples of the box's longer side. */
export const SCORE_FACTORS = [2, 3] as const

/** logit p = second2x·logit(s2) + second3x·logit(s3) + first·logit(c1) + bias */
interface ScoreWeights {
  readonly second2x: number
  readonly second3x: number
  readonly first: number
  readonly bias: number
}

/** `npm run lab -- eval --ajustar` fits them. `personOnMain`: the picture is of the main stream. */
const weights: Readonly<Record<'person' | 'personOnMain' | 'vehicle', ScoreWeights>> = {
  person: { second2x: 0.57, second3x: 0.83, first: 0.73, bias: 2.52 },
  personOnMain: { second2x: 1.62, second3x: 0.94, first: 0.93, bias: 2.16 },
  vehicle: { second2x: 0.32, second3x: 0.51, first: 0.65, bias: 2.71 },
}

/** Confidences are clipped, because logit is infinite at 0 and 1. */
const CLIP = 0.01
/** Confidence of the first model where none is known. */
const FIRST_UNKNOWN = 0.3

/**
 * Probabilities of presence from which a candidate is confirmed surely, and up to which it is refuted.
 * `refuteTogether`: of each of several pictures apart in time.
 */
export const scoreLimits = { confirm: 0.8, refute: 0.06, refuteTogether: 0.1, refuteOnMain: 0.15 } as const

/** From this confidence of the first model on, a second model never refutes: 2 % of such candidates are false. */
export const FIRST_NEVER_REFUTED = 0.6

/** Limits beyond which a low score is no evidence of absence. */
const qualityLimits = { noiseMax: 3, lightMin: 30, sharpnessMin: 0.25 } as const

export type CutDamage = 'noise' | 'dark' | 'blur'

/** Damage that hides people from the second model; null: the cut is clear. */
export function damageOf({ noise, light, sharpness }: CutQuality): CutDamage | null {
  if (noise > qualityLimits.noiseMax) return 'noise'
  if (light < qualityLimits.lightMin) return 'dark'
  return sharpness !== null && sharpness < qualityLimits.sharpnessMin ? 'blur' : null
}

type Fonte = 'sub' | 'principal'

interface Scored {
  readonly first: { readonly rotulo: string; readonly confianca: number } | null
  readonly seen: readonly number[]
}

const isVehicle = ({ first }: Pick<Scored, 'first'>): boolean =>
  first !== null && (VEICULOS as readonly string[]).includes(first.rotulo)

/** Probability up to which a region refutes. Other limits than `refute` are measured on people only. */
export function refuteLimit(region: Pick<Scored, 'first'>, fonte: Fonte = 'sub', conjunta = false): number {
  if (isVehicle(region)) return scoreLimits.refute
  if (fonte === 'principal') return scoreLimits.refuteOnMain
  return conjunta ? scoreLimits.refuteTogether : scoreLimits.refute
}

/** Calibrated probability that the region shows what the first model reported. */
export function probabilityOf(region: Scored, fonte: Fonte = 'sub'): number {
  const { first, seen } = region
  const ofPeople = fonte === 'principal' ? weights.personOnMain : weights.person
  const { second2x, second3x, first: byFirst, bias } = isVehicle(region) ? weights.vehicle : ofPeople
  const [s2 = 0, s3 = s2] = seen
  const sum = second2x * logit(s2) + second3x * logit(s3) + byFirst * logit(first?.confianca ?? FIRST_UNKNOWN) + bias
  return 1 / (1 + Math.exp(-sum))
}

const logit = (value: number): number => {
  const clipped = Math.min(1 - CLIP, Math.max(CLIP, value))
  return Math.log(clipped / (1 - clipped))
}
