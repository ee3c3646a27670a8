import { createHash } from 'node:crypto'

/** Repeatable numbers in [0, 1). */
export type Random = () => number

/** The n-th number derives from the SHA-256 of seed and n. */
export function seededRandom(seed: number | string): Random {
  let n = 0
  return () => {
    n += 1
    return createHash('sha256').update(`${seed} ${n}`).digest().readUInt32BE(0) / 2 ** 32
  }
}

/** xorshift with 32 bits (Marsaglia, Journal of Statistical Software 8/14, 2003). Similar seeds begin similarly. */
export function xorshift(seed: number): Random {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** mulberry32: 32 bits of state, multiplications of 32 bits. Its numbers are whole multiples of 2^-32. */
export function mulberry32(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a of the UTF-8 bytes: the seed of a generator from a text. */
export const fnv1a = (text: string): number =>
  Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x0100_0193) >>> 0, 0x811c_9dc5)

/** A number of the normal distribution with mean 0 and deviation 1 (Box and Muller). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
