import type { Box } from '@vigia/ias/geometry'

/** Position tolerance: one standard deviation, as fractions of the object's width and height. */
export interface Slack {
  readonly x: number
  readonly y: number
}

/**
 * Size tolerance: one standard deviation of the logarithm of the size ratio. Sizes change when objects come nearer or
 * are partly hidden.
 */
const SIZE_SLACK = 0.3
/** Gate: squared distance, in standard deviations, above which a detection cannot be the object. */
const FARTHEST = 9

/**
 * Likelihood, 0–1, that `found` is the object expected at `expected`: 1 for equal position and size. It falls with the
 * distance in units of the box (normal distribution), so boxes of a fast object on a slow stream need not overlap.
 */
export function closeness(expected: Box, found: Box, slack: Slack): number {
  const x = (found.x + found.w / 2 - expected.x - expected.w / 2) / (slack.x * Math.max(expected.w, found.w))
  const y = (found.y + found.h / 2 - expected.y - expected.h / 2) / (slack.y * Math.max(expected.h, found.h))
  const place = x * x + y * y
  if (place > FARTHEST) return 0
  const w = Math.log(found.w / expected.w) / SIZE_SLACK
  const h = Math.log(found.h / expected.h) / SIZE_SLACK
  return Math.exp(-(place + (w * w + h * h) / 2) / 2)
}

export interface Pair<A, B> {
  readonly left: A
  readonly right: B
}

/**
 * Greedy assignment: pairs each left with at most one right, the best pair first, and no pair below `minimum`. For the
 * few objects of one picture the result equals the optimal assignment except for ties.
 */
export function associate<A, B>(
  lefts: readonly A[],
  rights: readonly B[],
  similarity: (left: A, right: B) => number,
  minimum: number,
): { pairs: Pair<A, B>[]; lefts: A[]; rights: B[] } {
  const candidates = lefts
    .flatMap((left) => rights.map((right) => ({ left, right, score: similarity(left, right) })))
    .filter(({ score }) => score >= minimum)
    .sort((a, b) => b.score - a.score)
  const takenLefts = new Set<A>()
  const takenRights = new Set<B>()
  const pairs: Pair<A, B>[] = []
  for (const { left, right } of candidates) {
    if (takenLefts.has(left) || takenRights.has(right)) continue
    takenLefts.add(left)
    takenRights.add(right)
    pairs.push({ left, right })
  }
  return {
    pairs,
    lefts: lefts.filter((left) => !takenLefts.has(left)),
    rights: rights.filter((right) => !takenRights.has(right)),
  }
}
