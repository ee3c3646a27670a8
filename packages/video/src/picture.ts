import {
  AV_BUFFERSRC_FLAG_KEEP_REF,
  AV_CODEC_FLAG_QSCALE,
  AV_CODEC_ID_MJPEG,
  AV_PIX_FMT_BGR24,
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  FF_QP2LAMBDA,
} from 'node-av/constants'
import {
  Codec,
  CodecContext,
  FFmpegError,
  Filter,
  FilterGraph,
  Frame,
  Packet,
  Rational,
  SoftwareScaleContext,
} from 'node-av/lib'

export type PackedFormat = 'gray' | 'rgb' | 'bgr'

const pixelFormats = {
  gray: AV_PIX_FMT_GRAY8,
  rgb: AV_PIX_FMT_RGB24,
  bgr: AV_PIX_FMT_BGR24,
  jpeg: AV_PIX_FMT_YUVJ420P,
  yuv: AV_PIX_FMT_YUV420P,
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
export async function scaled(
  source: Frame,
  format: keyof typeof pixelFormats,
  width: number,
  height: number,
): Promise<Frame> {
  const target = newFrame(format, width, height)
  // The context gets no source format, so that FFmpeg reads format, range and colour space from each frame.
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

export interface PixelBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Runs `work` on the part of `source` inside `box` (null: all of it). */
async function part<T>(source: Frame, box: PixelBox | null, work: (frame: Frame) => Promise<T>): Promise<T> {
  if (box === null) return await work(source)
  const frame = cropped(source, box)
  try {
    return await work(frame)
  } finally {
    frame.free()
  }
}

/**
 * The pixels of `source` inside `box`, referenced and not copied: a copy of a large picture blocks the thread for
 * milliseconds. The caller frees the frame.
 */
function cropped(source: Frame, box: PixelBox): Frame {
  const graph = new FilterGraph()
  const frame = new Frame()
  graph.alloc()
  // By default FFmpeg starts and joins a thread per processor for each graph: three times the cost of the crop.
  graph.nbThreads = 1
  frame.alloc()
  try {
    const filter = (name: string, args?: string) => {
      const known = Filter.getByName(name)
      const made = known && graph.createFilter(known, name, args)
      if (!made) throw new Error(`FFmpeg has no usable filter ${name}`)
      return made
    }
    const size = `${source.width}x${source.height}`
    const from = filter('buffer', `video_size=${size}:pix_fmt=${source.format}:time_base=1/1000`)
    // Without `exact` odd sizes and positions are rounded to the grid of the chroma planes.
    const crop = filter('crop', `${box.width}:${box.height}:${box.x}:${box.y}:exact=1`)
    const to = filter('buffersink')
    FFmpegError.throwIfError(from.link(0, crop, 0), 'link')
    FFmpegError.throwIfError(crop.link(0, to, 0), 'link')
    FFmpegError.throwIfError(graph.configSync(), 'config')
    FFmpegError.throwIfError(from.buffersrcAddFrameSync(source, AV_BUFFERSRC_FLAG_KEEP_REF), 'addFrame')
    FFmpegError.throwIfError(to.buffersinkGetFrameSync(frame), 'getFrame')
    frame.colorRange = source.colorRange
    frame.colorSpace = source.colorSpace
    return frame
  } catch (error) {
    frame.free()
    throw error
  } finally {
    graph.free()
  }
}

/**
 * `box` of `source` (null: all of it), stretched to `width` x `height`, full range. Packed rows, 1 byte (gray) or 3
 * bytes a pixel.
 */
export const packedPixels = (
  source: Frame,
  box: PixelBox | null,
  format: PackedFormat,
  width: number,
  height: number,
): Promise<Buffer> =>
  part(source, box, async (from) => {
    const frame = await scaled(from, format, width, height)
    try {
      return frame.toBuffer()
    } finally {
      frame.free()
    }
  })

/** Converts the JPEG quality 1…100 to FFmpeg's quantiser 31…2. */
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
export const jpeg = (
  source: Frame,
  box: PixelBox | null,
  width: number,
  height: number,
  quality: number,
): Promise<Buffer> =>
  part(source, box, async (from) => {
    const frame = await scaled(from, 'jpeg', width, height)
    try {
      return await encodeJpeg(frame, quality)
    } finally {
      frame.free()
    }
  })
