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
import { annexB, codecParametersOf } from '../codec-parameters.ts'
import { createDecoder } from '../decode.ts'
import { nalFormat, startCodeFormat } from '../nal-units.ts'
import { stampPacket } from '../packet.ts'
import type { AccessUnit, EncodedVideo } from './access-units.ts'

const check = FFmpegError.throwIfError
/** Longer than any group, so that only this module sets keyframes. */
const NEVER = 100_000

/**
 * The pictures of a video in H.264 with one keyframe in `every` of them, as "smart" codecs send. Short videos repeat
 * until `every` pictures are there. Throws without an encoder.
 */
export async function withLongGroups(video: EncodedVideo, every: number): Promise<EncodedVideo> {
  Log.setLevel(AV_LOG_QUIET)
  const step = Math.round(video.timescale / video.fps)
  const count = Math.max(every, video.units.length)
  const encoder = await openEncoder(video)
  const packet = new Packet()
  packet.alloc()
  const units: AccessUnit[] = []
  const collect = async () => {
    while ((await encoder.receivePacket(packet)) >= 0) {
      const nals = startCodeFormat.split(Buffer.from(packet.data ?? [])) ?? []
      const at = units.length * step
      units.push({ key: packet.isKeyframe, pts: at, dts: at, nals })
      packet.unref()
    }
  }
  let sent = 0
  const encode = async (frame: Frame) => {
    if (sent === count) return
    frame.pictType = sent % every === 0 ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    frame.pts = BigInt(sent++)
    check(await encoder.sendFrame(frame), 'sendFrame')
    await collect()
  }
  try {
    while (sent < count) await decode(video, encode)
    await encoder.sendFrame(null)
    await collect()
    const parameterSets = nalFormat('h264', Buffer.from(encoder.extraData ?? []))?.parameterSets ?? []
    return { ...video, codec: 'h264', parameterSets, units, duration: units.length * step }
  } finally {
    packet.free()
    encoder.freeContext()
  }
}

async function openEncoder({ width, height, fps }: EncodedVideo): Promise<CodecContext> {
  const names = [FF_ENCODER_LIBX264, FF_ENCODER_LIBOPENH264]
  const codec = names.map((name) => Codec.findEncoderByName(name)).find((found) => found !== null)
  if (!codec) throw new Error('this FFmpeg has no encoder for H.264')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.width = width
  context.height = height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = new Rational(1, Math.round(fps))
  context.framerate = new Rational(Math.round(fps), 1)
  context.gopSize = NEVER
  context.maxBFrames = 0
  context.threadCount = 1
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  const scenes = `scenecut=0:keyint=${NEVER}:min-keyint=${NEVER}`
  const settings = { preset: 'ultrafast', tune: 'zerolatency', crf: '32', 'forced-idr': '1', 'x264-params': scenes }
  const options = Dictionary.fromObject(settings)
  try {
    check(await context.open2(codec, options), 'open2')
    return context
  } finally {
    options.free()
  }
}

async function decode({ codec, parameterSets, units }: EncodedVideo, use: (frame: Frame) => Promise<void>) {
  const codecpar = codecParametersOf(codec, parameterSets)
  const native = () => codecpar
  const decoder = await createDecoder({ codec, codecLabel: null, parameterSets, split: startCodeFormat.split, native })
  if ('failure' in decoder) throw new Error(decoder.failure)
  const packet = new Packet()
  packet.alloc()
  try {
    for (const { key, pts, nals } of units) {
      packet.unref()
      packet.data = annexB(nals)
      packet.isKeyframe = key
      await decoder.decode(stampPacket(packet, pts / 90), use)
    }
    await decoder.decode(null, use)
  } finally {
    packet.free()
    decoder.close()
    codecpar.free()
  }
}
