/** Pseudo-random numbers from 0 to 1 (xorshift with 32 bits; Marsaglia, Journal of Statistical Software 8/14, 2003). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Numbers from a normal distribution with mean 0 and deviation 1 (Box and Muller). */
export function normalNumbers(count: number, random: () => number): Float32Array {
  return Float32Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    return radius * Math.cos(2 * Math.PI * random())
  })
}
