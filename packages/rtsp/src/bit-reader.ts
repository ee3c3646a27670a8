/**
 * Reads the bits of a raw byte sequence payload, most significant first. Past the end it returns zeros and sets
 * `exhausted`.
 */
export interface BitReader {
  /** Returns the next `count` (up to 32) bits as an unsigned number. */
  bits(count: number): number
  skip(count: number): void
  /** ue(v), Exp-Golomb: H.264 9.1, H.265 9.2. */
  unsigned(): number
  /** se(v). */
  signed(): number
  /** True after a read past the end: all values read are invalid. */
  readonly exhausted: boolean
}

export function createBitReader(bytes: Uint8Array): BitReader {
  const total = bytes.length * 8
  let position = 0
  const bit = (): number => {
    const byte = bytes[position >> 3] ?? 0
    const value = (byte >> (7 - (position & 7))) & 1
    position++
    return value
  }
  const bits = (count: number): number => {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + bit()
    return value
  }
  const unsigned = (): number => {
    let zeros = 0
    while (zeros < 32 && position < total && bit() === 0) zeros++
    return 2 ** zeros - 1 + bits(zeros)
  }
  return {
    bits,
    unsigned,
    skip(count) {
      position += count
    },
    signed() {
      const value = unsigned()
      return value % 2 === 0 ? -value / 2 : (value + 1) / 2
    },
    get exhausted() {
      return position > total
    },
  }
}

/** Returns a NAL unit without its emulation prevention bytes (`00 00 03` → `00 00`; H.264 7.4.1, H.265 7.4.2). */
export function withoutEmulation(nal: Uint8Array): Uint8Array {
  const out = new Uint8Array(nal.length)
  let length = 0
  let zeros = 0
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[length++] = byte
  }
  return out.subarray(0, length)
}
