import type { FireEvidence } from './tasks/fogo.ts'

/** Labels of the fire model. */
export type FireLabel = 'fire' | 'smoke'

/**
 * `[evidence, likelihood ratio]`, ascending: probability of the evidence at a fire, divided by that at a false
 * detection.
 */
type Ratios = readonly (readonly [evidence: number, ratio: number])[]

/**
 * Upper bound on the detector's confidence: odds of 19 to 1. The network was trained on some hundred pictures of fire.
 * Above the bound its confidence depends on the brightness of the colours, not on the presence of fire.
 */
const TRUST = 0.95

/**
 * Chosen from the meaning of the evidence (fire-evidence.ts of the vision package), not fitted to footage. With TRUST
 * they have these properties at the default `conf` of 0.5:
 * - an area without flicker is no flame at any confidence: 19 · 1/60 · 2 < 1 (a poster, a lamp, the sunset);
 * - half of the required confidence (0.25) is enough with the colours and the flicker of a flame: 1/3 · 6 · 2 > 1;
 * - a confidence of 0.1 needs the maximum of both colours and flicker: 1/9 · 6 · 2 > 1 (more than a worker's vest or
 *   sparks);
 * - a grey wall or cloud at rest is no smoke: 19 · 1/12 · 2/5 < 1. Slow smoke has no flicker either. The evidence of
 *   smoke is hidden background (colour above 0.4) or spreading (`growth` of the rule).
 */
const ratios: Readonly<Record<FireLabel, { readonly flicker: Ratios; readonly colour: Ratios }>> = {
  fire: {
    flicker: [
      [0, 1 / 60],
      [0.3, 1],
      [0.8, 6],
    ],
    colour: [
      [0, 1 / 8],
      [0.3, 1],
      [0.8, 2],
    ],
  },
  smoke: {
    flicker: [
      [0, 1 / 12],
      [0.2, 1],
      [0.6, 3],
    ],
    colour: [
      [0, 1 / 8],
      [0.4, 2 / 5],
      [0.6, 1],
      [1, 3],
    ],
  },
}

/**
 * A moving area with the colours of a flame inside a person's box is a vest, a shirt or a bag. There a confidence of
 * 0.1 is never enough (1/9 · 6 · 2 · 1/6 < 1). A confidence of 0.5 needs the flicker of a flame (1 · 6 · 2 · 1/6 > 1).
 * The highest confidence needs no further evidence (19 · 1/6 > 1).
 */
const WITHIN_PERSON: Ratios = [
  [0.5, 1],
  [0.9, 1 / 6],
]

/**
 * Flicker is measured only in the colours of a flame. Below this fraction of such colours, flicker counts less. An
 * infrared picture has no colours; there the detector needs a confidence of 0.9.
 */
const ASKED_FROM = 0.1

/**
 * Score of one inference, 0–1: the detector's odds times the likelihood ratios of the evidence from previous pictures.
 * This is Bayes' rule with independent evidence. A single picture (`evidence` null) has only the detector and the
 * people in it. `onPerson`: share of the flames inside one person's box, 0–1.
 */
export function fireScore(label: FireLabel, confianca: number, evidence: FireEvidence | null, onPerson = 0): number {
  const worn = label === 'fire' ? ratioAt(WITHIN_PERSON, onPerson) : 1
  if (!evidence) return weigh(confianca, worn)
  const sure = Math.min(TRUST, Math.max(1 - TRUST, confianca))
  const { flicker, colour } = ratios[label]
  const asked = label === 'fire' ? Math.min(1, evidence.colour / ASKED_FROM) : 1
  const seen = ratioAt(flicker, evidence.flicker) ** asked * ratioAt(colour, evidence.colour)
  const odds = (sure / (1 - sure)) * seen * worn
  return odds / (1 + odds)
}

/** `score` after further evidence with this likelihood ratio. */
export function weigh(score: number, ratio: number): number {
  if (score >= 1 || ratio === 1) return score
  const odds = (score / (1 - score)) * ratio
  return odds / (1 + odds)
}

/** Linear interpolation between the knots on a logarithmic scale, constant outside of them. */
function ratioAt(knots: Ratios, value: number): number {
  const after = knots.findIndex(([at]) => at >= value)
  const [to, toRatio] = knots[after < 0 ? knots.length - 1 : after] ?? [0, 1]
  const [from, fromRatio] = knots[Math.max(0, after - 1)] ?? [0, 1]
  if (after <= 0 || to === from) return toRatio
  return fromRatio * (toRatio / fromRatio) ** ((value - from) / (to - from))
}
