import type { Frame } from 'node-av/lib'
import { createDecoder, type VideoDecoder } from '../decode.ts'
import { createDelivery, type Delivery } from '../delivery.ts'
import { streamEnd } from '../failure.ts'
import type { VideoFrame } from '../frame.ts'
import { createLagMeter } from '../lag.ts'
import type { Mask } from '../mask.ts'
import type { PacketReader, ReaderSession } from '../packet-reader.ts'
import { type PictureProgress, picturesStalled } from '../stall.ts'
import { createFrameSampler } from '../stream-clock.ts'

export interface StreamInfo {
  /** FFmpeg's name: `h264`, `hevc`, … */
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Pictures a second as declared by the container or the stream; null: not declared. */
  readonly fps: number | null
  /** Memory of the decoder for its pictures; null: the stream does not say it. */
  readonly decoderBytes: number | null
}

export interface StreamHandlers {
  /** Called with the first picture and after each change of the picture's size. */
  onInfo(info: StreamInfo): void
  /** Calls do not overlap. An exception is an error of the reader. */
  onFrame(frame: VideoFrame): Promise<void> | void
}

export interface DecoderOptions {
  /**
   * Largest number of pictures per second of stream time that are passed on; the others are only decoded. Default: all.
   */
  readonly maxFps?: number
  /** Covers the pictures that are passed on. Default: none. */
  readonly mask?: Mask | null
}

/** Decodes every packet and passes pictures on. With `awaited`, undecoded packets wait in the socket. */
export function createDecoderReader(handlers: StreamHandlers, options: DecoderOptions = {}): PacketReader {
  let run: DecoderRun | null = null
  return {
    async opened(session) {
      const decoder = await createDecoder(session.parameters)
      if ('failure' in decoder) session.end(decoder)
      else run = createDecoderRun(session, decoder, handlers, options)
    },
    packet: (packet) => run?.packet(packet),
    judge: (now) => run?.judge(now) ?? null,
    ended: () => run?.ended(),
    async closed() {
      const last = run
      run = null
      await last?.closed()
    },
  }
}

type DecoderRun = Required<Omit<PacketReader, 'opened' | 'skipped' | 'audio'>>

function createDecoderRun(
  session: ReaderSession,
  decoder: VideoDecoder,
  handlers: StreamHandlers,
  options: DecoderOptions,
): DecoderRun {
  const { live, stallTimeoutMs } = session
  const progress: PictureProgress = { lastFrameAt: null, keyframeAt: null }
  const delivery = createDelivery((frame) => handlers.onFrame(frame), {
    queueless: live,
    mask: options.mask ?? null,
    onFault: session.fail,
  })
  const pictures = createPictures(session, decoder, handlers, delivery, progress, options.maxFps)
  // Pictures after damage depend on missing data. A machine that is too slow also skips to the next keyframe.
  let synced = false
  return {
    async packet(packet) {
      if (packet.keyframe) {
        synced = true
        progress.keyframeAt ??= performance.now()
      }
      if (synced) synced = (await decoder.decode(packet.native(), pictures.handle)) && !pictures.fellBehind()
      if (decoder.refused) session.end(decoder.refused)
    },
    judge: (now) => picturesStalled(progress, now, stallTimeoutMs),
    async ended() {
      await decoder.decode(null, pictures.handle)
      if (progress.lastFrameAt === null) session.end(streamEnd('dados_invalidos'))
    },
    async closed() {
      await delivery.settle()
      decoder.close()
    },
  }
}

interface Pictures {
  handle(frame: Frame, timeMs: number | null): Promise<void>
  /** Returns true once after a lag of the pictures. */
  fellBehind(): boolean
}

function createPictures(
  session: ReaderSession,
  decoder: VideoDecoder,
  handlers: StreamHandlers,
  delivery: Delivery,
  progress: PictureProgress,
  maxFps: number | undefined,
): Pictures {
  const sampler = createFrameSampler(maxFps)
  const lag = createLagMeter()
  let info: StreamInfo | null = null
  let behind = false
  let last: { readonly timeMs: number; readonly wallMs: number } | null = null

  /** Pictures leave the decoder in display order. If the packets' times do not increase, real time is used. */
  const increasing = (timeMs: number | null, wallMs: number): number => {
    const next = last === null ? (timeMs ?? 0) : last.timeMs + Math.max(1, wallMs - last.wallMs)
    const chosen = last === null || timeMs === null || timeMs <= last.timeMs ? next : timeMs
    last = { timeMs: chosen, wallMs }
    return chosen
  }

  return {
    async handle(frame, timeMs) {
      const now = performance.now()
      progress.lastFrameAt = now
      progress.keyframeAt = null
      const timestampMs = increasing(timeMs, now)
      behind ||= session.live && lag.fallenBehind(timestampMs, now)
      const { width, height } = frame
      if (info === null || info.width !== width || info.height !== height) {
        const fps = session.parameters.fps ?? decoder.claimedFps()
        info = { codec: decoder.codec, width, height, fps, decoderBytes: decoder.need?.bytes ?? null }
        handlers.onInfo(info)
      }
      if (session.closing || !sampler.due(timestampMs)) return
      if (await delivery.offer(frame, timestampMs)) sampler.taken(timestampMs)
    },
    fellBehind() {
      const was = behind
      behind = false
      return was
    },
  }
}
