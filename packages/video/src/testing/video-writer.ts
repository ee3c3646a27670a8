import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_MPEG4,
  AV_LOG_QUIET,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUV420P,
} from 'node-av/constants'
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Log,
  Packet,
  Rational,
  SoftwareScaleContext,
} from 'node-av/lib'

export interface VideoWriter {
  /** FFmpeg's name of the encoder. */
  readonly codec: string
  /** Writes one picture, `width` x `height` packed RGB, at `timestampMs` (strictly increasing). */
  write(rgb: Buffer, timestampMs: number): Promise<void>
  /** Writes the rest and closes the file. */
  close(): Promise<void>
}

interface VideoWriterOptions {
  /** Path of the Matroska file, which is replaced. */
  readonly path: string
  /** Size in pixels; both must be even (4:2:0). */
  readonly width: number
  readonly height: number
  readonly fps: number
  /** Bits a second. */
  readonly bitRate: number
}

/** Time between two keyframes in seconds: a common setting of recorders. */
const KEYFRAME_S = 2
const check = FFmpegError.throwIfError

/**
 * The H.264 encoder of this FFmpeg, else MPEG-4: builds without GPL parts have no H.264 encoder. Rejects with
 * FFmpegError.
 */
async function openEncoder({ width, height, fps, bitRate }: VideoWriterOptions) {
  const codec = Codec.findEncoder(AV_CODEC_ID_H264) ?? Codec.findEncoder(AV_CODEC_ID_MPEG4)
  if (!codec) throw new Error('this FFmpeg has no encoder for H.264 or MPEG-4')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.width = width
  context.height = height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = new Rational(1, 1000)
  context.framerate = new Rational(Math.round(fps * 1000), 1000)
  context.bitRate = BigInt(Math.round(bitRate))
  context.gopSize = Math.round(fps * KEYFRAME_S)
  // No B-frames, as in most cameras: they delay pictures.
  context.maxBFrames = 0
  context.threadCount = 1
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  // Encoders ignore unknown options.
  const settings = Dictionary.fromObject({ preset: 'veryfast' })
  try {
    check(await context.open2(codec, settings), 'open2')
    return { context, name: codec.name ?? 'video' }
  } catch (error) {
    context.freeContext()
    throw error
  } finally {
    settings.free()
  }
}

/** Writes pictures into a video file. Calls must not overlap. */
export async function createVideoWriter(options: VideoWriterOptions): Promise<VideoWriter> {
  const { width, height, path } = options
  Log.setLevel(AV_LOG_QUIET)
  const { context, name } = await openEncoder(options)
  const output = new FormatContext()
  check(output.allocOutputContext2(null, 'matroska', path), 'allocOutputContext2')
  const stream = output.newStream()
  stream.timeBase = context.timeBase
  check(stream.codecpar.fromContext(context), 'fromContext')
  check(await output.openOutput(), 'openOutput')
  check(await output.writeHeader(), 'writeHeader')
  const packet = new Packet()
  packet.alloc()

  /** Writes the finished packets to the file. */
  async function drain() {
    while ((await context.receivePacket(packet)) >= 0) {
      packet.streamIndex = stream.index
      packet.rescaleTs(context.timeBase, stream.timeBase)
      check(await output.interleavedWriteFrame(packet), 'interleavedWriteFrame')
      packet.unref()
    }
  }

  return {
    codec: name,
    async write(rgb, timestampMs) {
      const picture = Frame.fromVideoBuffer(rgb, { width, height, format: AV_PIX_FMT_RGB24 })
      const frame = new Frame()
      const scaler = new SoftwareScaleContext()
      try {
        frame.alloc()
        frame.format = AV_PIX_FMT_YUV420P
        frame.width = width
        frame.height = height
        scaler.allocContext()
        check(frame.getBuffer(1), 'getBuffer')
        check(await scaler.scaleFrame(frame, picture), 'scaleFrame')
        frame.pts = BigInt(Math.round(timestampMs))
        check(await context.sendFrame(frame), 'sendFrame')
        await drain()
      } finally {
        scaler.freeContext()
        frame.free()
        picture.free()
      }
    },
    async close() {
      try {
        check(await context.sendFrame(null), 'sendFrame')
        await drain()
        check(await output.writeTrailer(), 'writeTrailer')
      } finally {
        packet.free()
        await output.closeOutput()
        context.freeContext()
        output.freeContext()
      }
    },
  }
}
