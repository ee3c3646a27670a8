import { setTimeout as delay } from 'node:timers/promises'
import { AVERROR_EOF, AVERROR_INVALIDDATA } from 'node-av/constants'
import { type Frame, Packet } from 'node-av/lib'
import { createDecoder, declaredFps, type VideoDecoder } from './decode.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { readFailure, type StreamEnd, streamEnd } from './failure.ts'
import type { VideoFrame } from './frame.ts'
import { createLagMeter } from './lag.ts'
import { openInput, type Transport, type VideoInput } from './open-input.ts'
import { parseSource, type Source } from './source.ts'
import { type Progress, stalled } from './stall.ts'
import { createFrameSampler, createStreamClock } from './stream-clock.ts'

export type { StreamEnd } from './failure.ts'
export type { HeldFrame, JpegOptions, VideoFrame } from './frame.ts'

export interface StreamInfo {
  /** FFmpeg's name: `h264`, `hevc`, … */
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Pictures a second as declared by the container or the stream; null when neither says so. */
  readonly fps: number | null
}

export interface StreamHandlers {
  /** With the first picture, and again whenever the picture's size changes. */
  onInfo(info: StreamInfo): void
  /** One call at a time. An error thrown here stops the reader and rejects `run`. */
  onFrame(frame: VideoFrame): Promise<void> | void
}

export interface StreamReaderOptions {
  /** `rtsp://` or `rtsps://` URL, or the path of a file. */
  readonly url: string
  readonly transport?: Transport
  /** Milliseconds until the stream must have begun to play. */
  readonly openTimeoutMs?: number
  /** Milliseconds without a packet, or without a picture that decodes, after which the stream counts as dead. */
  readonly stallTimeoutMs?: number
  /** Pictures a second of stream time that are handed on; the others are only decoded. All when not given. */
  readonly maxFps?: number
}

export interface StreamReader {
  /**
   * Reads until the stream ends, fails, or `signal` aborts, and resolves with which of them it was (`end`: a file came to its
   * end). Rejects only with what a handler threw. Resolves after the handler at work has settled and all is freed.
   */
  run(handlers: StreamHandlers, signal: AbortSignal): Promise<StreamEnd | 'aborted' | 'end'>
}

type Outcome = StreamEnd | 'aborted' | 'end'

const defaultTimeoutMs = 10_000
const EAGAIN = -11
/** Pause after "nothing yet" from the demuxer, so that it cannot spin. */
const againPauseMs = 5
/** A damaged container or RTP packet is skipped, so many in a row are not. */
const maxBadReads = 100

/** A reader of one stream. Each `run` is one connection; runs may follow one another. */
export function createStreamReader(options: StreamReaderOptions): StreamReader {
  const { transport = 'tcp', openTimeoutMs = defaultTimeoutMs, stallTimeoutMs = defaultTimeoutMs } = options
  return {
    async run(handlers, signal) {
      const source = parseSource(options.url)
      if (source === null) return streamEnd('url_ilegivel')
      const opened = await openInput(source, { transport, openTimeoutMs, stallTimeoutMs }, signal)
      if (!opened.ok) return opened.end
      const { input } = opened
      try {
        const decoder = await createDecoder(input.stream, input.encodingName)
        if ('failure' in decoder) return decoder
        try {
          return await play({ source, input, decoder, handlers, stallTimeoutMs, maxFps: options.maxFps })
        } finally {
          decoder.close()
        }
      } finally {
        await input.close()
      }
    },
  }
}

interface Session {
  readonly source: Source
  readonly input: VideoInput
  readonly decoder: VideoDecoder
  readonly handlers: StreamHandlers
  readonly stallTimeoutMs: number
  readonly maxFps: number | undefined
}

async function play(session: Session): Promise<Outcome> {
  const { input, handlers, source } = session
  const live = source.kind === 'rtsp'
  const delivery = createDelivery((frame) => handlers.onFrame(frame), {
    queueless: live,
    onFault: () => input.interrupt('aborted'),
  })
  const progress: Progress = {
    openedAt: performance.now(),
    firstPacketAt: null,
    lastPacketAt: null,
    lastFrameAt: null,
    keyframeAt: null,
  }
  const stopWatching = live ? watch(progress, session.stallTimeoutMs, (end) => input.interrupt(end)) : () => {}
  const packet = new Packet()
  packet.alloc()
  try {
    return await pump(session, packet, progress, delivery)
  } finally {
    stopWatching()
    packet.free()
    await delivery.settle()
  }
}

/** Judges the stream a few times a second; calls `onStall` at most once. Returns what stops it. */
function watch(progress: Progress, stallTimeoutMs: number, onStall: (end: StreamEnd) => void): () => void {
  const periodMs = Math.max(20, Math.min(500, stallTimeoutMs / 10))
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // After a blocked event loop or a suspended process, packets may be waiting unread: judge on the next round.
    const late = now - last > periodMs * 3
    last = now
    const end = late ? null : stalled(progress, now, stallTimeoutMs)
    if (end === null) return
    clearInterval(timer)
    onStall(end)
  }, periodMs)
  return () => clearInterval(timer)
}

async function pump(session: Session, packet: Packet, progress: Progress, delivery: Delivery): Promise<Outcome> {
  const { input, decoder, source } = session
  const live = source.kind === 'rtsp'
  const pictures = createPictures(session, progress, delivery)
  let packets = 0
  let badReads = 0
  // Pictures before a keyframe, or after damage, build on data that is missing. Leaping to the next keyframe is also how a
  // machine that is too slow catches up.
  let synced = false

  for (;;) {
    if (input.interruption !== null) return input.interruption
    const code = await input.read(packet)
    if (input.interruption !== null) return input.interruption
    if (code === EAGAIN) {
      await delay(againPauseMs)
      continue
    }
    if (code === AVERROR_INVALIDDATA && ++badReads < maxBadReads) continue
    if (code < 0) {
      if (live || code !== AVERROR_EOF) return readFailure(code, packets)
      await decoder.decode(null, pictures.handle)
      if (progress.lastFrameAt === null) return streamEnd(packets === 0 ? 'sem_quadros' : 'dados_invalidos')
      return input.interruption ?? 'end'
    }
    badReads = 0
    if (packet.streamIndex === input.stream.index) {
      packets++
      const now = performance.now()
      progress.firstPacketAt ??= now
      progress.lastPacketAt = now
      if (packet.isKeyframe) {
        synced = true
        progress.keyframeAt ??= now
      }
      if (synced) synced = (await decoder.decode(packet, pictures.handle)) && !pictures.fellBehind()
    }
    packet.unref()
  }
}

interface Pictures {
  handle(frame: Frame, ptsMs: number | null): Promise<void>
  /** True once after the pictures have run behind real time for a while. */
  fellBehind(): boolean
}

function createPictures(session: Session, progress: Progress, delivery: Delivery): Pictures {
  const { decoder, handlers, input, source } = session
  const live = source.kind === 'rtsp'
  const declared = declaredFps(input.stream)
  const clock = createStreamClock({ live })
  const sampler = createFrameSampler(session.maxFps)
  const lag = createLagMeter()
  let info: StreamInfo | null = null
  let behind = false
  return {
    async handle(frame, ptsMs) {
      const now = performance.now()
      progress.lastFrameAt = now
      progress.keyframeAt = null
      const fps = declared ?? decoder.claimedFps()
      const timestampMs = clock.advance(ptsMs, now, fps)
      behind ||= live && lag.fallenBehind(timestampMs, now)
      const { width, height } = frame
      if (info === null || info.width !== width || info.height !== height) {
        info = { codec: decoder.codec, width, height, fps }
        handlers.onInfo(info)
      }
      if (input.interruption !== null || !sampler.due(timestampMs)) return
      if (await delivery.offer(frame, timestampMs)) sampler.taken(timestampMs)
    },
    fellBehind() {
      const was = behind
      behind = false
      return was
    },
  }
}
