/** ITU-T G.711: 8 bits a sample, which grow to 13 (A-law) or 14 (µ-law). */
export type Law = 'pcma' | 'pcmu'

const FULL_SCALE = 32_768

function fromALaw(code: number): number {
  const value = code ^ 0x55
  const [exponent, mantissa] = [(value >> 4) & 7, value & 15]
  const size = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1)
  return value & 0x80 ? size : -size
}

function fromMuLaw(code: number): number {
  const value = ~code
  const size = ((((value & 15) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84
  return value & 0x80 ? -size : size
}

const tables = {
  pcma: Float32Array.from({ length: 256 }, (_, code) => fromALaw(code) / FULL_SCALE),
  pcmu: Float32Array.from({ length: 256 }, (_, code) => fromMuLaw(code) / FULL_SCALE),
}

/** Writes the samples of `codes`, from -1 to 1, to `target` from `at` on. */
export function decodeG711(law: Law, codes: Uint8Array, target: Float32Array, at: number): void {
  const table = tables[law]
  for (const [i, code] of codes.entries()) target[at + i] = table[code] ?? 0
}

/** The code whose sample is nearest to `sample`. For sources of test audio. */
export function encodeG711(law: Law, sample: number): number {
  let best = 0
  const table = tables[law]
  for (const [code, value] of table.entries())
    if (Math.abs(value - sample) < Math.abs((table[best] ?? 0) - sample)) best = code
  return best
}
