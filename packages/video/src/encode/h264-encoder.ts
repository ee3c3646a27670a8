import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_LIBOPENH264,
  FF_ENCODER_LIBX264,
} from 'node-av/constants'
import { Codec, CodecContext, Dictionary, FFmpegError, type Frame, Log, Packet, Rational } from 'node-av/lib'
import { nalFormat } from '../nal-units.ts'

export interface EncodedPicture {
  readonly keyframe: boolean
  readonly timeMs: number
  /** Annex B. */
  readonly data: Buffer
}

export interface H264Encoder {
  /** SPS and PPS. */
  readonly parameterSets: readonly Buffer[]
  /** `frame`: 4:2:0, of the encoder's size. Returns finished pictures. */
  encode(frame: Frame, timeMs: number): Promise<readonly EncodedPicture[]>
  /** Returns the pictures that the encoder still holds. It accepts no further ones. */
  flush(): Promise<readonly EncodedPicture[]>
  close(): void
}

/** FFmpeg's software encoders for H.264, best first. A build without GPL parts lacks the first. */
const ENCODERS = [FF_ENCODER_LIBX264, FF_ENCODER_LIBOPENH264]
/** Time between two keyframes. */
export const COPY_KEYFRAME_MS = 2_000
/** Frame rate of most sub streams. */
const USUAL_FPS = 15
/** Enough for 640 pixels. */
const MOST_BITS_S = 1_000_000
const check = FFmpegError.throwIfError

/** @param size pixels, even. null: this FFmpeg has no encoder. */
export async function openH264Encoder({
  width,
  height,
}: {
  readonly width: number
  readonly height: number
}): Promise<H264Encoder | null> {
  Log.setLevel(AV_LOG_QUIET)
  const codec = ENCODERS.map((name) => Codec.findEncoderByName(name)).find((found) => found !== null)
  if (!codec) return null
  const context = new CodecContext()
  context.allocContext3(codec)
  context.width = width
  context.height = height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = new Rational(1, 1000)
  // For the rate control only: pictures have their own times.
  context.framerate = new Rational(USUAL_FPS, 1)
  context.bitRate = BigInt(MOST_BITS_S)
  // No B-frames: they delay pictures.
  context.maxBFrames = 0
  context.threadCount = 1
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  // Encoders ignore unknown options.
  const settings = Dictionary.fromObject({
    preset: 'veryfast',
    tune: 'zerolatency',
    profile: 'main',
    crf: '26',
    'forced-idr': '1',
    maxrate: String(MOST_BITS_S),
    bufsize: String(MOST_BITS_S),
  })
  try {
    check(await context.open2(codec, settings), 'open2')
  } catch (error) {
    context.freeContext()
    throw error
  } finally {
    settings.free()
  }
  return encoderOf(context)
}

function encoderOf(context: CodecContext): H264Encoder {
  const packet = new Packet()
  packet.alloc()
  const parameterSets = nalFormat('h264', Buffer.from(context.extraData ?? []))?.parameterSets ?? []
  let lastMs = Number.NEGATIVE_INFINITY
  let keyframeAtMs = Number.NEGATIVE_INFINITY

  async function finished(): Promise<EncodedPicture[]> {
    const pictures: EncodedPicture[] = []
    while ((await context.receivePacket(packet)) >= 0) {
      // A copy: the packet's memory is reused.
      const data = Buffer.from(packet.data ?? [])
      pictures.push({ keyframe: packet.isKeyframe, timeMs: Number(packet.pts), data })
      packet.unref()
    }
    return pictures
  }

  return {
    parameterSets,
    async encode(frame, timeMs) {
      lastMs = Math.max(lastMs + 1, Math.round(timeMs))
      const isKeyframe = lastMs - keyframeAtMs >= COPY_KEYFRAME_MS
      if (isKeyframe) keyframeAtMs = lastMs
      frame.pts = BigInt(lastMs)
      frame.pictType = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
      check(await context.sendFrame(frame), 'sendFrame')
      return await finished()
    },
    async flush() {
      await context.sendFrame(null)
      return await finished()
    },
    close() {
      packet.free()
      context.freeContext()
    },
  }
}
