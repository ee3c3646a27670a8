import { type Box, iou } from './boxes.ts'

/** Grows a box by `margin` of its own size on every side, so that boxes of a fast object on a slow stream still meet. */
const grow = (box: Box, margin: number): Box => ({
  x: box.x - box.w * margin,
  y: box.y - box.h * margin,
  w: box.w * (1 + 2 * margin),
  h: box.h * (1 + 2 * margin),
})

/** Overlap of two boxes after both were grown (buffered IoU, arXiv 2211.14317), 0–1. */
export const bufferedIou = (a: Box, b: Box, margin: number): number => iou(grow(a, margin), grow(b, margin))

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
