import { type Frame, Packet } from 'node-av/lib'
import { annexB, codecParametersOf } from '../codec-parameters.ts'
import { createDecoder, type VideoDecoder } from '../decode.ts'
import type { Mask } from '../mask.ts'
import { startCodeFormat } from '../nal-units.ts'
import { type StreamParameters, stampPacket } from '../packet.ts'
import { scaled } from '../picture.ts'
import { type EncodedPicture, type H264Encoder, openH264Encoder } from './h264-encoder.ts'

type CodedParameters = Pick<StreamParameters, 'codec' | 'parameterSets' | 'split'>

/** One access unit in its own memory. */
export interface CodedUnit {
  readonly keyframe: boolean
  /** Stream time. */
  readonly timeMs: number
  readonly data: Buffer
  /** A new object when the parameter sets change. */
  readonly parameters: CodedParameters
}

/** A stream decoded, covered and encoded again as H.264. Calls must not overlap. */
export interface SmallCopy {
  /** Returns the finished pictures. The first unit is a keyframe. */
  add(unit: CodedUnit): Promise<readonly CodedUnit[]>
  /** Returns the pictures that are not finished yet. */
  flush(): Promise<readonly CodedUnit[]>
  close(): void
}

/** Longer side of the copy, in pixels. */
export const SMALL_SIDE = 640

/** This FFmpeg has no encoder for H.264. */
export class NoEncoderError extends Error {}

/** Size of the copy: the aspect ratio stays, both sides are even. */
export function smallSize(width: number, height: number): { readonly width: number; readonly height: number } {
  const share = Math.min(1, SMALL_SIDE / Math.max(width, height))
  const even = (side: number) => Math.max(2, 2 * Math.round((side * share) / 2))
  return { width: even(width), height: even(height) }
}

interface OpenDecoder {
  readonly parameters: CodedParameters
  readonly decoder: VideoDecoder
  close(): void
}

/**
 * Copies a stream at most SMALL_SIDE pixels wide and high. `mask` covers each picture before it is encoded. Units that
 * cannot be decoded are left out. Pictures before `fromMs` (stream time) are only decoded.
 */
export function createSmallCopy(mask: Mask | null, fromMs = Number.NEGATIVE_INFINITY): SmallCopy {
  let input: OpenDecoder | null = null
  let output: Output | null = null

  /** Encodes a decoded picture. @throws NoEncoderError */
  async function encode(frame: Frame, timeMs: number, done: CodedUnit[]): Promise<void> {
    const size = smallSize(frame.width, frame.height)
    if (output?.width !== size.width || output.height !== size.height) {
      done.push(...((await output?.flush()) ?? []))
      output?.close()
      output = await openOutput(size)
    }
    const small = await scaled(frame, 'yuv', size.width, size.height)
    try {
      const covered = mask ? await mask.cover(small) : small
      try {
        done.push(...(await output.encode(covered, timeMs)))
      } finally {
        if (covered !== small) covered.free()
      }
    } finally {
      small.free()
    }
  }

  async function decode(packet: Packet | null, done: CodedUnit[]): Promise<void> {
    const frames: { readonly frame: Frame; readonly timeMs: number }[] = []
    await input?.decoder.decode(packet, (frame, timeMs) => {
      const own = frame.clone()
      if (own) frames.push({ frame: own, timeMs: timeMs ?? 0 })
    })
    try {
      for (const { frame, timeMs } of frames) if (timeMs >= fromMs) await encode(frame, timeMs, done)
    } finally {
      for (const { frame } of frames) frame.free()
    }
  }

  return {
    async add({ keyframe, timeMs, data, parameters }) {
      const done: CodedUnit[] = []
      if (keyframe && input?.parameters !== parameters) {
        await decode(null, done)
        input?.close()
        input = await openDecoder(parameters)
      }
      const nals = parameters.split(data)
      if (input && nals) await withPacket(annexB(nals), keyframe, timeMs, (packet) => decode(packet, done))
      return done
    },
    async flush() {
      const done: CodedUnit[] = []
      await decode(null, done)
      done.push(...((await output?.flush()) ?? []))
      return done
    },
    close() {
      input?.close()
      output?.close()
      input = null
      output = null
    },
  }
}

async function withPacket(
  data: Buffer,
  keyframe: boolean,
  timeMs: number,
  work: (packet: Packet) => Promise<void>,
): Promise<void> {
  const packet = new Packet()
  packet.alloc()
  try {
    packet.data = data
    packet.isKeyframe = keyframe
    await work(stampPacket(packet, timeMs))
  } finally {
    packet.free()
  }
}

/** null: a codec that clips do not have, or unusable parameters. */
async function openDecoder(parameters: CodedParameters): Promise<OpenDecoder | null> {
  const { codec, parameterSets } = parameters
  if (codec !== 'h264' && codec !== 'h265') return null
  const codecpar = codecParametersOf(codec, parameterSets)
  const native = () => codecpar
  // `add` gives it packets with start codes.
  const decoder = await createDecoder({ codec, codecLabel: null, parameterSets, split: startCodeFormat.split, native })
  if ('failure' in decoder) {
    codecpar.free()
    return null
  }
  const close = () => {
    decoder.close()
    codecpar.free()
  }
  return { parameters, decoder, close }
}

interface Output {
  readonly width: number
  readonly height: number
  encode(frame: Frame, timeMs: number): Promise<readonly CodedUnit[]>
  flush(): Promise<readonly CodedUnit[]>
  close(): void
}

async function openOutput(size: { readonly width: number; readonly height: number }): Promise<Output> {
  const encoder: H264Encoder | null = await openH264Encoder(size)
  if (encoder === null) throw new NoEncoderError('this FFmpeg has no encoder for H.264')
  const { parameterSets } = encoder
  const parameters: CodedParameters = { codec: 'h264', parameterSets, split: startCodeFormat.split }
  const unitsOf = (pictures: readonly EncodedPicture[]) => pictures.map((picture) => ({ ...picture, parameters }))
  return {
    ...size,
    encode: async (frame, timeMs) => unitsOf(await encoder.encode(frame, timeMs)),
    flush: async () => unitsOf(await encoder.flush()),
    close: encoder.close,
  }
}
