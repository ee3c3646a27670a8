import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLTP,
  FF_ENCODER_AAC,
} from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from 'node-av/lib'
import { FRAME_SAMPLES } from './audio-config.ts'

export interface AacEncoder {
  /** AudioSpecificConfig. */
  readonly specific: Buffer
  /**
   * `samples`: FRAME_SAMPLES of each channel, one channel after the other, from -1 to 1. Returns the finished access
   * units. The first unit of all holds no sound: the encoder is one unit late.
   */
  encode(samples: Float32Array): readonly Buffer[]
  close(): void
}

/** Bits a second of each channel for each Hz of the sample rate: 24 kbit/s for a telephone channel. */
const BITS_PER_HZ = 3
const check = FFmpegError.throwIfError

/**
 * FFmpeg's own AAC encoder (`aac`). Its calls block for about 0.2 ms a unit: a thread for each call costs more.
 * @throws FFmpegError: this FFmpeg has no such encoder, or it refuses the rate.
 */
export function openAacEncoder(sampleRate: number, channels: 1 | 2): AacEncoder {
  Log.setLevel(AV_LOG_QUIET)
  const layout = channels === 1 ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO
  const codec = Codec.findEncoderByName(FF_ENCODER_AAC)
  if (!codec) throw new Error('no AAC encoder')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.sampleRate = sampleRate
  context.sampleFormat = AV_SAMPLE_FMT_FLTP
  context.channelLayout = layout
  context.bitRate = BigInt(sampleRate * channels * BITS_PER_HZ)
  context.timeBase = new Rational(1, sampleRate)
  context.threadCount = 1
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  const frame = new Frame()
  const packet = new Packet()
  const close = () => {
    packet.free()
    frame.free()
    context.freeContext()
  }
  try {
    check(context.open2Sync(codec), 'open2')
    packet.alloc()
    frame.alloc()
    frame.format = AV_SAMPLE_FMT_FLTP
    frame.sampleRate = sampleRate
    frame.channelLayout = layout
    frame.nbSamples = FRAME_SAMPLES
    check(frame.getBuffer(0), 'getBuffer')
  } catch (error) {
    close()
    throw error
  }
  let frames = 0
  return {
    specific: Buffer.from(context.extraData ?? []),
    encode(samples) {
      check(frame.makeWritable(), 'makeWritable')
      check(frame.fromBuffer(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)), 'fromBuffer')
      frame.pts = BigInt(frames++ * FRAME_SAMPLES)
      check(context.sendFrameSync(frame), 'sendFrame')
      const units: Buffer[] = []
      while (context.receivePacketSync(packet) >= 0) {
        // A copy: the packet's memory is reused.
        units.push(Buffer.from(packet.data ?? []))
        packet.unref()
      }
      return units
    },
    close,
  }
}
