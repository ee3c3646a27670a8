import { fnv1a, mulberry32, normal } from '@vigia/testing/random'

/** A generator of numbers 0–1. Equal seeds yield equal numbers, whatever the order of the pictures. */
export interface Random {
  next(): number
  between(low: number, high: number): number
  /** Standard normal deviate. */
  normal(): number
  chance(probability: number): boolean
  /** `count` of the items at most, in random order. */
  some<Item>(items: readonly Item[], count: number): Item[]
}

export function createRandom(seed: string): Random {
  const next = mulberry32(fnv1a(seed))
  return {
    next,
    normal: () => normal(next),
    between: (low, high) => low + (high - low) * next(),
    chance: (probability) => next() < probability,
    some: (items, count) =>
      items
        .map((item) => ({ item, order: next() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, count)
        .map(({ item }) => item),
  }
}
