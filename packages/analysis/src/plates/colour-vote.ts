import type { CorVeiculo, SeenColour } from './paint-colour.ts'

/** Minimum sum of the certainties of a colour: more than one frame can have. */
const SUM_MIN = 1.2
/** Minimum share of the colour in the sum over all colours. */
const SHARE_MIN = 0.7

/** The colour of a vehicle over its frames; null: too few frames, or no clear majority. */
export function voteColour(seen: readonly SeenColour[]): CorVeiculo | null {
  const sums = new Map<CorVeiculo, number>()
  let all = 0
  for (const { cor, certainty } of seen) {
    sums.set(cor, (sums.get(cor) ?? 0) + certainty)
    all += certainty
  }
  const [best] = [...sums].sort(([, a], [, b]) => b - a)
  return best && best[1] >= SUM_MIN && best[1] >= SHARE_MIN * all ? best[0] : null
}
