import { pictureFormat } from '@vigia/rtsp/sps'
import { type StreamEnd, streamEnd } from './failure.ts'
import { nalType } from './nal-units.ts'
import type { VideoCodec } from './packet.ts'

const MIB = 1024 * 1024
/**
 * Memory of the pictures that one decoder may hold. 3840 x 2160 with 9 references and 4000 x 3000 with 6 fit; 4096 x
 * 4096 with 16 needs 408 MiB.
 */
export const MAX_DECODER_BYTES = 128 * MIB
/** Larger than the picture of any surveillance camera. FFmpeg refuses a header that asks for more. */
export const MAX_DECODER_PIXELS = 4096 * 4096

const SPS = { h264: 7, h265: 33 } as const
/** Samples of a pixel in all planes, by chroma_format_idc. */
const samplesPerPixel = [1, 1.5, 2, 3] as const

export interface DecoderNeed {
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly references: number
}

/** Memory that a decoder needs for the largest of these sequence parameter sets; null: none is readable. */
export function decoderNeed(codec: VideoCodec | null, nals: readonly Buffer[]): DecoderNeed | null {
  if (codec !== 'h264' && codec !== 'h265') return null
  let most: DecoderNeed | null = null
  for (const nal of nals) {
    const format = nalType(codec, nal) === SPS[codec] ? pictureFormat(codec, nal) : null
    if (format === null) continue
    const { width, height, chroma, codedPixels, references } = format
    const sampleBytes = Math.max(format.lumaBits, format.chromaBits) > 8 ? 2 : 1
    const pictureBytes = codedPixels * (samplesPerPixel[chroma] ?? 3) * sampleBytes
    // The current picture is held beside the references.
    const bytes = pictureBytes * (references + 1)
    if (most === null || bytes > most.bytes) most = { bytes, width, height, references }
  }
  return most
}

/** The reason not to decode a stream of this need; null: it is within the budget. */
export function overBudget(need: DecoderNeed | null): StreamEnd | null {
  if (need === null || need.bytes <= MAX_DECODER_BYTES) return null
  const { width, height, references, bytes } = need
  const mib = (value: number) => Math.round(value / MIB)
  const detail =
    `${width}x${height} com ${references} quadros de referência: ` +
    `${mib(bytes)} MiB; o limite é ${mib(MAX_DECODER_BYTES)} MiB`
  return streamEnd('video_grande_demais', detail)
}
