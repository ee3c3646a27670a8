import { AV_CODEC_ID_MJPEG } from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, Frame, Packet } from 'node-av/lib'
import { packedPixels } from '../picture.ts'

interface Rgb {
  readonly width: number
  readonly height: number
  readonly pixels: Buffer
}

/** Decodes a JPEG with FFmpeg's own decoder to packed RGB. */
export async function decodeJpeg(bytes: Buffer): Promise<Rgb> {
  const codec = Codec.findDecoder(AV_CODEC_ID_MJPEG)
  const context = new CodecContext()
  context.allocContext3(codec)
  FFmpegError.throwIfError(await context.open2(codec, null))
  const packet = new Packet()
  packet.alloc()
  packet.data = bytes
  const frame = new Frame()
  frame.alloc()
  try {
    FFmpegError.throwIfError(await context.sendPacket(packet))
    FFmpegError.throwIfError(await context.receiveFrame(frame))
    const { width, height } = frame
    return { width, height, pixels: await packedPixels(frame, null, 'rgb', width, height) }
  } finally {
    frame.free()
    packet.free()
    context.freeContext()
  }
}

/** Mean absolute difference of two pixel buffers of the same size, 0…255. */
export function meanDifference(a: Buffer, b: Buffer): number {
  if (a.length !== b.length) throw new Error(`${a.length} and ${b.length} bytes`)
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0))
  return sum / a.length
}
