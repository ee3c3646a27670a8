import { createHash } from 'node:crypto'

/** Numbers in [0, 1) that the seed alone decides: the n-th is made of the SHA-256 of seed and n. */
export function seededRandom(seed: number | string): () => number {
  let n = 0
  return () => {
    n += 1
    return createHash('sha256').update(`${seed} ${n}`).digest().readUInt32BE(0) / 2 ** 32
  }
}
