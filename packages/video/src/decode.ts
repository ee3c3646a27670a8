import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_MPEG4,
  AV_CODEC_ID_NONE,
  AV_FRAME_FLAG_CORRUPT,
  AV_NOPTS_VALUE,
  AVERROR_EOF,
} from 'node-av/constants'
import { avGetCodecName, Codec, CodecContext, Dictionary, Frame, type Packet, type Stream } from 'node-av/lib'
import { type StreamEnd, streamEnd } from './failure.ts'

const EAGAIN = -11
/** FFmpeg has hundreds of decoders; a hostile camera may choose only among those that recorders really send. */
const decodable = new Set<number>([AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4, AV_CODEC_ID_MJPEG])
/** 4096 x 4096: more than any surveillance camera; keeps a forged header from claiming gigabytes. */
const maxPixels = 4096 * 4096

export interface VideoDecoder {
  readonly codec: string
  /** Pictures a second as the stream itself claims them (VUI), null where it does not. */
  claimedFps(): number | null
  /**
   * Decodes one packet (null: flush) and passes each picture to `onFrame`; the frame is valid during that call.
   * Returns false when something in it was damaged: the pictures that follow build on it until the next keyframe.
   */
  decode(packet: Packet | null, onFrame: (frame: Frame, ptsMs: number | null) => Promise<void> | void): Promise<boolean>
  close(): void
}

const rate = (rational: { num: number; den: number }): number | null => {
  const fps = rational.den > 0 ? rational.num / rational.den : 0
  return fps >= 0.1 && fps <= 240 ? fps : null
}

/** Fps that the container or the SDP declares, null where it does not. */
export const declaredFps = (stream: Stream): number | null => rate(stream.avgFrameRate)

/** The codec's name for a person: from the SDP, so it is the peer's text and only harmless characters of it are kept. */
function codecLabel(stream: Stream, encodingName: string | null): string | null {
  const known = stream.codecpar.codecId === AV_CODEC_ID_NONE ? null : avGetCodecName(stream.codecpar.codecId)
  return (encodingName ?? known)?.replace(/[^\w.+-]/g, '').slice(0, 32) || null
}

/** Opens a decoder on one thread (cameras are many, cores are few), or says which codec cannot be decoded. */
export async function createDecoder(stream: Stream, encodingName: string | null): Promise<VideoDecoder | StreamEnd> {
  const { codecId } = stream.codecpar
  const codec = decodable.has(codecId) ? Codec.findDecoder(codecId) : null
  if (codec === null) return streamEnd('codec_nao_suportado', codecLabel(stream, encodingName))
  const context = new CodecContext()
  context.allocContext3(codec)
  const options = Dictionary.fromObject({ max_pixels: String(maxPixels) })
  try {
    const filled = context.parametersToContext(stream.codecpar)
    context.threadCount = 1
    context.pktTimebase = stream.timeBase
    const opened = filled < 0 ? filled : await context.open2(codec, options)
    if (opened < 0) {
      context.freeContext()
      return streamEnd('dados_invalidos', `FFmpeg ${opened}`)
    }
  } finally {
    options.free()
  }
  const frame = new Frame()
  frame.alloc()
  const { num, den } = stream.timeBase
  const ptsMs = (pts: bigint): number | null => (pts === AV_NOPTS_VALUE ? null : (Number(pts) * 1000 * num) / den)

  return {
    codec: codec.name ?? 'video',
    claimedFps: () => rate(context.framerate),
    async decode(packet, onFrame) {
      let intact = true
      const sent = await context.sendPacket(packet)
      if (sent < 0 && sent !== EAGAIN && sent !== AVERROR_EOF) intact = false
      for (;;) {
        // The decoding itself happened in sendPacket; while flushing it happens here, off the event loop.
        const code = packet === null ? await context.receiveFrame(frame) : context.receiveFrameSync(frame)
        if (code === EAGAIN || code === AVERROR_EOF) return intact
        if (code < 0) return false
        try {
          if (frame.decodeErrorFlags !== 0 || frame.hasFlags(AV_FRAME_FLAG_CORRUPT)) intact = false
          else await onFrame(frame, ptsMs(frame.bestEffortTimestamp))
        } finally {
          frame.unref()
        }
      }
    },
    close() {
      frame.free()
      context.freeContext()
    },
  }
}
