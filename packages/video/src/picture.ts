import {
  AV_CODEC_FLAG_QSCALE,
  AV_CODEC_ID_MJPEG,
  AV_PIX_FMT_BGR24,
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  FF_QP2LAMBDA,
} from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, Frame, Packet, Rational, SoftwareScaleContext } from 'node-av/lib'

export type PackedFormat = 'gray' | 'rgb' | 'bgr'

const pixelFormats = {
  gray: AV_PIX_FMT_GRAY8,
  rgb: AV_PIX_FMT_RGB24,
  bgr: AV_PIX_FMT_BGR24,
  jpeg: AV_PIX_FMT_YUVJ420P,
} as const

function newFrame(format: keyof typeof pixelFormats, width: number, height: number): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.format = pixelFormats[format]
  frame.width = width
  frame.height = height
  return frame
}

/** Scales and converts `source` (any pixel format, range and size); the caller frees the result. */
async function scaled(source: Frame, format: keyof typeof pixelFormats, width: number, height: number): Promise<Frame> {
  const target = newFrame(format, width, height)
  // Not initialised on purpose: FFmpeg then reads format, range and colour space from the frames at hand.
  const scaler = new SoftwareScaleContext()
  scaler.allocContext()
  try {
    scaler.setOption('sws_flags', 'bilinear')
    FFmpegError.throwIfError(target.getBuffer(1), 'getBuffer')
    FFmpegError.throwIfError(await scaler.scaleFrame(target, source), 'scaleFrame')
    return target
  } catch (error) {
    target.free()
    throw error
  } finally {
    scaler.freeContext()
  }
}

/** Rows without padding, `width` x `height`, 1 (gray) or 3 bytes a pixel; stretched, full range. */
export async function packedPixels(
  source: Frame,
  format: PackedFormat,
  width: number,
  height: number,
): Promise<Buffer> {
  const frame = await scaled(source, format, width, height)
  try {
    return frame.toBuffer()
  } finally {
    frame.free()
  }
}

export interface PixelBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The part of `source` inside `box`, as an RGB frame that the caller frees. */
async function cropped(source: Frame, box: PixelBox): Promise<Frame> {
  const whole = await packedPixels(source, 'rgb', source.width, source.height)
  const stride = source.width * 3
  const row = box.width * 3
  const part = Buffer.alloc(row * box.height)
  for (let y = 0; y < box.height; y++) {
    const from = (box.y + y) * stride + box.x * 3
    whole.copy(part, y * row, from, from + row)
  }
  return Frame.fromVideoBuffer(part, { width: box.width, height: box.height, format: AV_PIX_FMT_RGB24 })
}

/** JPEG quality 1…100 to FFmpeg's quantiser 31…2. */
const quantiser = (quality: number): number => Math.round(31 - ((Math.min(100, Math.max(1, quality)) - 1) / 99) * 29)

async function encodeJpeg(frame: Frame, quality: number): Promise<Buffer> {
  const codec = Codec.findEncoder(AV_CODEC_ID_MJPEG)
  const context = new CodecContext()
  context.allocContext3(codec)
  const packet = new Packet()
  packet.alloc()
  try {
    context.width = frame.width
    context.height = frame.height
    context.pixelFormat = AV_PIX_FMT_YUVJ420P
    context.colorRange = AVCOL_RANGE_JPEG
    context.timeBase = new Rational(1, 25)
    context.threadCount = 1
    context.setFlags(AV_CODEC_FLAG_QSCALE)
    FFmpegError.throwIfError(await context.open2(codec, null), 'open2')
    frame.quality = quantiser(quality) * FF_QP2LAMBDA
    frame.pts = 0n
    FFmpegError.throwIfError(await context.sendFrame(frame), 'sendFrame')
    FFmpegError.throwIfError(await context.receivePacket(packet), 'receivePacket')
    // A copy: the packet's memory is freed below.
    return Buffer.from(packet.data ?? [])
  } finally {
    packet.free()
    context.freeContext()
  }
}

/** `box` of `source` (null: all of it) as a JPEG of `width` x `height`. */
export async function jpeg(
  source: Frame,
  box: PixelBox | null,
  width: number,
  height: number,
  quality: number,
): Promise<Buffer> {
  const part = box === null ? null : await cropped(source, box)
  try {
    const frame = await scaled(part ?? source, 'jpeg', width, height)
    try {
      return await encodeJpeg(frame, quality)
    } finally {
      frame.free()
    }
  } finally {
    part?.free()
  }
}
