/** Random choices, reproducible from a seed. */
export interface Random {
  /** Returns a whole number from 0 to `below` - 1. */
  int(below: number): number
  chance(share: number): boolean
  pick<T>(from: readonly [T, ...(readonly T[])]): T
  bytes(length: number): Buffer
}

/** mulberry32: a generator with 32 bits of state and 32-bit multiplications. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const int = (below: number): number => next() % below
  return {
    int,
    chance: (share) => next() < share * 2 ** 32,
    pick: (from) => from[int(from.length)] ?? from[0],
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length)
      for (let i = 0; i < length; i++) bytes[i] = next()
      return bytes
    },
  }
}

/** Returns the seed of one dialogue, which does not depend on earlier dialogues. */
export const seedOf = (seed: number, index: number): number =>
  Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) + Math.imul(index, 0xc2b2_ae35)
