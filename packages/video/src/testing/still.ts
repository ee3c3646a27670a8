import { AV_CODEC_ID_BMP, AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_WEBP, AV_LOG_QUIET } from 'node-av/constants'
import { Codec, CodecContext, Dictionary, FFmpegError, Frame, Log, Packet } from 'node-av/lib'
import { MAX_DECODER_PIXELS } from '../decoder-budget.ts'
import { createVideoFrame, type HeldFrame } from '../frame.ts'

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

/** Detects the codec from the first bytes, never from the file's name. */
function codecOf(bytes: Buffer) {
  if (startsWith(bytes, '\xff\xd8')) return AV_CODEC_ID_MJPEG
  if (startsWith(bytes, '\x89PNG')) return AV_CODEC_ID_PNG
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return AV_CODEC_ID_WEBP
  return startsWith(bytes, 'BM') ? AV_CODEC_ID_BMP : null
}

/**
 * Decodes one picture (JPEG, PNG, WebP, BMP) to a frame at stream time 0, which the caller must release. null: another
 * format, or damaged.
 */
export async function openStill(bytes: Buffer): Promise<HeldFrame | null> {
  Log.setLevel(AV_LOG_QUIET)
  const id = codecOf(bytes)
  const codec = id === null ? null : Codec.findDecoder(id)
  if (!codec) return null
  const context = new CodecContext()
  context.allocContext3(codec)
  context.threadCount = 1
  const options = Dictionary.fromObject({ max_pixels: String(MAX_DECODER_PIXELS) })
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  try {
    FFmpegError.throwIfError(await context.open2(codec, options), 'open2')
    packet.data = bytes
    const codes = [await context.sendPacket(packet), await context.sendPacket(null), await context.receiveFrame(frame)]
    if (codes.some((code) => code < 0) || frame.width === 0) {
      frame.free()
      return null
    }
    return createVideoFrame(frame, 0)
  } catch (error) {
    frame.free()
    throw error
  } finally {
    options.free()
    packet.free()
    context.freeContext()
  }
}
