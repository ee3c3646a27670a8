import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MJPEG, AV_CODEC_ID_MPEG4 } from 'node-av/constants'
import type { CodecParameters } from 'node-av/lib'
import { type NalFormat, nalFormat, startCodeFormat } from './nal-units.ts'
import type { VideoCodec } from './packet.ts'

/** FFmpeg has hundreds of decoders; only those for codecs of real recorders are allowed, against hostile cameras. */
const codecs = new Map<number, VideoCodec>([
  [AV_CODEC_ID_H264, 'h264'],
  [AV_CODEC_ID_HEVC, 'h265'],
  [AV_CODEC_ID_MPEG4, 'mpeg4'],
  [AV_CODEC_ID_MJPEG, 'mjpeg'],
])

/** Codec and NAL format of a stream; null: not decoded, or without NAL units. */
export function formatOf({ codecId, extradata }: CodecParameters): {
  readonly codec: VideoCodec | null
  readonly format: NalFormat | null
} {
  const codec = codecs.get(codecId) ?? null
  const named = codec === 'h264' || codec === 'h265' ? codec : null
  const format = named && ((extradata && nalFormat(named, Buffer.from(extradata))) || startCodeFormat)
  return { codec, format }
}
