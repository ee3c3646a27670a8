import { nalType } from '../nal-units.ts'
import type { TrackCodec } from './codec-config.ts'

/** One picture of a track, in decoding order. */
export interface Sample {
  /** Decoding can start here. */
  readonly keyframe: boolean
  /** NAL units behind lengths of four bytes. */
  readonly data: Buffer
  /** Ticks. */
  readonly duration: number
  /** Presentation time minus decoding time, in ticks. */
  readonly offset: number
}

/** SPS, PPS; VPS, SPS, PPS. */
const PARAMETER_SETS = { h264: new Set([7, 8]), h265: new Set([32, 33, 34]) } as const
/** Access unit delimiter, filler data. */
const NO_CONTENT = { h264: new Set([9, 12]), h265: new Set([35, 38]) } as const
const SEI = { h264: new Set([6]), h265: new Set([39, 40]) } as const
const H264_IDR = 5
const LENGTH_BYTES = 4

/**
 * Copies the NAL units of one picture into a buffer of its own, each behind its length. Omits delimiters, filler, SEI,
 * and parameter sets that the track already has. null: nothing remains.
 *
 * The SEI of an H.264 keyframe without an IDR slice stays: it marks the recovery point, without which a decoder does
 * not start there.
 */
export function sampleData(
  codec: TrackCodec,
  nals: readonly Buffer[],
  { keyframe, known }: { readonly keyframe: boolean; readonly known: readonly Buffer[] },
): Buffer | null {
  const needsSei = codec === 'h264' && keyframe && !nals.some((nal) => nalType(codec, nal) === H264_IDR)
  const isKept = (nal: Buffer): boolean => {
    const type = nalType(codec, nal)
    if (NO_CONTENT[codec].has(type)) return false
    if (SEI[codec].has(type)) return needsSei
    return !(PARAMETER_SETS[codec].has(type) && known.some((set) => set.equals(nal)))
  }
  const kept = nals.filter(isKept)
  if (kept.length === 0) return null
  const data = Buffer.allocUnsafeSlow(kept.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0))
  let at = 0
  for (const nal of kept) {
    at = data.writeUInt32BE(nal.length, at)
    at += nal.copy(data, at)
  }
  return data
}
