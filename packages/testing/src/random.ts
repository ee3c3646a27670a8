import { createHash } from 'node:crypto'

/** Deterministic numbers in [0, 1): the n-th derives from the SHA-256 of seed and n. */
export function seededRandom(seed: number | string): () => number {
  let n = 0
  return () => {
    n += 1
    return createHash('sha256').update(`${seed} ${n}`).digest().readUInt32BE(0) / 2 ** 32
  }
}
