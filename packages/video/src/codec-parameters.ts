import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AVMEDIA_TYPE_VIDEO } from 'node-av/constants'
import { CodecParameters } from 'node-av/lib'

const startCode = Buffer.from([0, 0, 0, 1])

/** Bytes of the NAL units with start codes. */
export const annexBBytes = (nals: readonly Buffer[]): number =>
  nals.reduce((sum, { length }) => sum + startCode.length + length, 0)

/** Copies the NAL units behind start codes. */
export function annexB(nals: readonly Buffer[], bytes = annexBBytes(nals)): Buffer {
  const data = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  for (const nal of nals) {
    at += startCode.copy(data, at)
    at += nal.copy(data, at)
  }
  return data
}

/** FFmpeg's parameters of an Annex B stream. The caller frees them. */
export function codecParametersOf(codec: 'h264' | 'h265', parameterSets: readonly Buffer[]): CodecParameters {
  const codecpar = new CodecParameters()
  codecpar.alloc()
  codecpar.codecType = AVMEDIA_TYPE_VIDEO
  codecpar.codecId = codec === 'h264' ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC
  codecpar.extradata = annexB(parameterSets)
  return codecpar
}
