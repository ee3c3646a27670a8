import type { FireEvidence } from './tasks/fogo.ts'

/** What is looked for, as the fire model calls it. */
export type FireLabel = 'fire' | 'smoke'

/** `[evidence, likelihood ratio]`, ascending: how much likelier such evidence is at a fire than at what is taken for one. */
type Ratios = readonly (readonly [evidence: number, ratio: number])[]

/**
 * A network that has seen some hundred pictures of fire is not to be believed beyond 19 to 1: beyond this its confidence says how bright the
 * colours are, not how sure the fire is.
 */
const TRUST = 0.95

/**
 * Chosen by what the evidence means (fire-evidence.ts of the vision package), not fitted to footage. With TRUST they keep these promises at
 * the default `conf` of 0.5:
 * - what does not stir at all is no flame, however sure the detector: 19 · 1/60 · 2 < 1 (a poster, a lamp, the sunset);
 * - a detector that is half as sure as asked (0.25) is believed where the place has the colours of a flame and flickers like one: 1/3 · 6 · 2 > 1;
 * - a place that the detector only hints at (0.1) is believed where colours and flicker are both beyond doubt: 1/9 · 6 · 2 > 1, and not when one of
 *   them is less (a vest that works on the spot, sparks);
 * - a wall or a cloud, grey and at rest, is no smoke: 19 · 1/12 · 2/5 < 1. Slow smoke is at rest as well: what then speaks for it is that
 *   it hides what was there (colour above 0.4) or that it spreads (`growth` of the rule).
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
 * What has the colours of a flame and moves, but lies within a person, is a vest, a shirt or a bag. Then a hint of the detector is not
 * believed at all (1/9 · 6 · 2 · 1/6 < 1), half a word only where it flickers like a flame (1 · 6 · 2 · 1/6 > 1), a sure one still (19 · 1/6 > 1).
 */
const WITHIN_PERSON: Ratios = [
  [0.5, 1],
  [0.9, 1 / 6],
]

/**
 * Flicker is looked for where the colours of a flame are. A place with less of them than this was not asked: an infrared picture has none, and
 * must not be mute, but there the detector has to be sure (0.9) by itself.
 */
const ASKED_FROM = 0.1

/**
 * How sure one look is of fire, 0–1: the detector's confidence as odds, times the likelihood ratios of what the pictures before say of the place
 * (Bayes' rule, the two taken as independent). A single picture (`evidence` null) has nothing but the detector, and the people in it.
 * `onPerson`: how much of the flames lies within somebody, 0–1.
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

/** `score` after one more thing spoke for it (ratio above 1) or against it. */
export function weigh(score: number, ratio: number): number {
  if (score >= 1 || ratio === 1) return score
  const odds = (score / (1 - score)) * ratio
  return odds / (1 + odds)
}

/** Straight between the knots on a logarithmic scale, where the first and the last knot end. */
function ratioAt(knots: Ratios, value: number): number {
  const after = knots.findIndex(([at]) => at >= value)
  const [to, toRatio] = knots[after < 0 ? knots.length - 1 : after] ?? [0, 1]
  const [from, fromRatio] = knots[Math.max(0, after - 1)] ?? [0, 1]
  if (after <= 0 || to === from) return toRatio
  return fromRatio * (toRatio / fromRatio) ** ((value - from) / (to - from))
}
