import type { Box } from '@vigia/ias/geometry'

/** How far an object may be from where it is expected, as fractions of its own width and height (one standard deviation). */
export interface Slack {
  readonly x: number
  readonly y: number
}

/** Boxes of one object differ in size by this factor (e^0.3), one standard deviation: it comes nearer, or a part of it is hidden. */
const SIZE_SLACK = 0.3
/** Nothing further away than three standard deviations (squared here) is taken for the object. */
const FARTHEST = 9

/**
 * How likely `found` is what was expected at `expected`, 0–1: 1 where place and size are the same, falling with the distance in
 * units of the box (a normal distribution), so that boxes of a fast object on a slow stream need not overlap.
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
 * Pairs each left with at most one right, the best pair first; pairs below `minimum` are not made. With the handful of objects of
 * one picture that gives the same result as the optimal assignment but for ties, and is easier to follow.
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
