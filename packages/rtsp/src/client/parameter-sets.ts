import { type BitReader, createBitReader, withoutEmulation } from '../bit-reader.ts'
import type { Codec } from './nal-types.ts'
import { nalType } from './nal-types.ts'

export interface ParameterSets {
  /** Adds the parameter sets of a unit or of the SDP; true when the sets in force changed. */
  take(sets: readonly Buffer[]): boolean
  /** In order of type, then id: VPS (H.265), SPS, PPS. */
  readonly all: readonly Buffer[]
  /** Whether each type has a set, so that a decoder can begin. */
  readonly complete: boolean
}

/** Longer sets do not occur: the largest scaling lists and HRD parameters stay below 2 kB. */
const MAX_SET_BYTES = 4096
/** Largest number of sets in force; the standards allow more ids than encoders use. */
const MAX_SETS = 64

const types = { h264: [7, 8], h265: [32, 33, 34] } as const

/**
 * Keeps the parameter sets in force. A set replaces the one with its type and id. A unit with a changed SPS and one set
 * of each other type replaces all sets, so that no old set stays.
 */
export function createParameterSets(codec: Codec): ParameterSets {
  let sets = new Map<number, Buffer>()

  const hasAllTypes = (keys: Iterable<number>): boolean => {
    const found = new Set([...keys].map((key) => key >> 16))
    return types[codec].every((type) => found.has(type))
  }

  return {
    take(given) {
      const news = new Map<number, Buffer>()
      for (const set of given) {
        const key = set.length <= MAX_SET_BYTES ? keyOf(codec, set) : null
        if (key !== null && news.size < MAX_SETS) news.set(key, set)
      }
      const changed = [...news].filter(([key, set]) => !sets.get(key)?.equals(set))
      if (changed.length === 0) return false
      const sps = codec === 'h264' ? 7 : 33
      const renewed = changed.some(([key]) => key >> 16 === sps) && hasAllTypes(news.keys())
      // Copied, because the given set is a view into the buffer of a whole picture.
      const copies = [...(renewed ? news : changed)].map(([key, set]): [number, Buffer] => [key, Buffer.from(set)])
      const merged = renewed ? copies : [...sets, ...copies]
      sets = new Map([...new Map(merged)].sort(([a], [b]) => a - b).slice(0, MAX_SETS))
      return true
    },
    get all() {
      return [...sets.values()]
    },
    get complete() {
      return hasAllTypes(sets.keys())
    },
  }
}

/** Returns type and id as one number; null for other units and for damaged bytes. */
function keyOf(codec: Codec, set: Buffer): number | null {
  if (set.length < 3) return null
  const type = nalType(codec, set, 0)
  if (!types[codec].some((known) => known === type)) return null
  // The id is in the first bytes; in an SPS of H.265 up to 7 sub-layers of 96 bits precede it.
  const reader = createBitReader(withoutEmulation(set.subarray(codec === 'h264' ? 1 : 2, 128)))
  const id = readId(codec, type, reader)
  return reader.exhausted || id > 255 ? null : type * 0x1_0000 + id
}

/** H.264 7.3.2.1.1 and 7.3.2.2; H.265 7.3.2.1 to 7.3.2.3. */
function readId(codec: Codec, type: number, reader: BitReader): number {
  if (codec === 'h264') {
    if (type === 7) reader.skip(24) // profile, constraint flags, level
    return reader.unsigned()
  }
  if (type === 32) return reader.bits(4)
  if (type === 34) return reader.unsigned()
  reader.skip(4) // sps_video_parameter_set_id
  const subLayers = reader.bits(3)
  reader.skip(1 + 96) // temporal id nesting flag, profile and level
  let bits = 0
  for (let i = 0; i < subLayers; i++) bits += (reader.bits(1) === 1 ? 88 : 0) + (reader.bits(1) === 1 ? 8 : 0)
  if (subLayers > 0) reader.skip((8 - subLayers) * 2)
  reader.skip(bits)
  return reader.unsigned()
}
