/** A generator of numbers 0–1 (mulberry32). Equal seeds yield equal numbers, whatever the order of the pictures. */
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
  // FNV-1a.
  let state = 0x811c9dc5
  for (const char of Buffer.from(seed)) state = Math.imul(state ^ char, 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    normal,
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
