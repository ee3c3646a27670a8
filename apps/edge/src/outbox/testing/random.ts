import { mulberry32 } from '@vigia/testing/random'

/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number
  /** An integer between both limits, inclusive. */
  int(from: number, to: number): number
  /** True with that probability. */
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  const next = mulberry32(seed)
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (values) => values[int(0, values.length - 1)] ?? values[0],
  }
}
