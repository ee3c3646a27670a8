import { mulberry32 } from '@vigia/testing/random'

/** Random choices, reproducible from a seed. */
export interface Random {
  /** Returns a whole number from 0 to `below` - 1. */
  int(below: number): number
  chance(share: number): boolean
  pick<T>(from: readonly [T, ...(readonly T[])]): T
  bytes(length: number): Buffer
}

export function createRandom(seed: number): Random {
  const next = mulberry32(seed)
  const int = (below: number): number => (next() * 2 ** 32) % below
  return {
    int,
    chance: (share) => next() < share,
    pick: (from) => from[int(from.length)] ?? from[0],
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length)
      for (let i = 0; i < length; i++) bytes[i] = int(256)
      return bytes
    },
  }
}

/** Returns the seed of one dialogue, which does not depend on earlier dialogues. */
export const seedOf = (seed: number, index: number): number =>
  Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) + Math.imul(index, 0xc2b2_ae35)
