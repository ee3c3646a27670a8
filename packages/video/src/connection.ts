import { type AudioDelivery, createAudioDelivery } from './audio/audio-delivery.ts'
import { type ClientChoice, type RtspClient, rtspClients, toClientChoice } from './client-choice.ts'
import { type StreamEnd, streamEnd } from './failure.ts'
import { type AttachOptions, createFanOut, type FanOut } from './fan-out.ts'
import { createFfmpegSource } from './ffmpeg-source.ts'
import { parameterSetsAfter } from './nal-units.ts'
import type { StreamParameters, VideoPacket } from './packet.ts'
import type { PacketReader } from './packet-reader.ts'
import type { Interruption, Outcome, PacketSink, PacketSource, SourcePacket } from './packet-source.ts'
import { createPictureMonitor, type PictureMonitor, type SeenPictures } from './picture-monitor.ts'
import { createRtspSource } from './rtsp-source.ts'
import { parseSource } from './source.ts'
import { createStreamClock } from './stream-clock.ts'

export interface ConnectionOptions {
  /** `rtsp://` or `rtsps://` URL, or the path of a file. */
  readonly url: string
  /** Default: the own client. */
  readonly client?: RtspClient | ClientChoice
  /** Requests the audio of the stream. Default: the peer is not asked for it. */
  readonly audio?: boolean
  /** Time limit for the start of playing. */
  readonly openTimeoutMs?: number
  /** Time without a packet, or without a decoded picture, after which the stream has failed. */
  readonly stallTimeoutMs?: number
}

/** One stream, delivered to any number of readers. */
export interface Connection {
  /** May be called during a run; the reader then starts at the next keyframe. Returns a function that detaches it. */
  attach(reader: PacketReader, options?: AttachOptions): () => void
  /**
   * Reads until the stream ends, fails, or `signal` aborts, and resolves with the outcome (`end`: end of a file).
   * Rejects only with the error of an awaited reader. Resolves after the awaited readers are closed and all memory is
   * free. Consecutive runs are allowed.
   */
  run(signal: AbortSignal): Promise<Outcome>
  /** Pictures of the current run; null: none so far. */
  readonly seen: SeenPictures | null
}

const defaultTimeoutMs = 10_000
/** Pictures that do not decode end a stream within this multiple of the stall timeout after its first keyframe. */
const undecodableFactor = 2

export function createConnection(options: ConnectionOptions): Connection {
  const { url, openTimeoutMs = defaultTimeoutMs, stallTimeoutMs = defaultTimeoutMs } = options
  const audio = options.audio === true
  const choice = toClientChoice(options.client ?? 'own')
  const fanOut = createFanOut()
  let monitor = createPictureMonitor()
  return {
    attach: fanOut.attach,
    get seen() {
      return monitor.seen
    },
    async run(signal) {
      const source = parseSource(url)
      if (source === null) return streamEnd('url_ilegivel')
      const timeouts = { openTimeoutMs, stallTimeoutMs }
      const live = source.kind === 'rtsp'
      const client = live ? choice.of(url) : 'ffmpeg'
      const { isOwn, transport, keepAlive } = rtspClients[client]
      const packets =
        live && isOwn
          ? createRtspSource(source.url, { transport, keepAlive, audio, ...timeouts })
          : createFfmpegSource(source, { transport, ...timeouts, audio })
      monitor = createPictureMonitor()
      const progress: Progress = { firstKeyframeAt: null, lastPacketAt: 0 }
      const onKeyframe = () => choice.keyframe(url, client, playedMs(progress))
      const outcome = await follow({ packets, fanOut, live, stallTimeoutMs, signal, progress, monitor, onKeyframe })
      if (live) choice.ended(url, client, outcome, isRead(outcome, progress, stallTimeoutMs), playedMs(progress))
      return outcome
    },
  }
}

/** Times of a connection, monotonic ms. */
interface Progress {
  /** null: none yet. */
  firstKeyframeAt: number | null
  lastPacketAt: number
}

const playedMs = ({ firstKeyframeAt, lastPacketAt }: Progress): number =>
  firstKeyframeAt === null ? 0 : lastPacketAt - firstKeyframeAt

/** Whether a stream with this outcome had pictures. */
function isRead(outcome: Outcome, { firstKeyframeAt }: Progress, stallTimeoutMs: number): boolean {
  if (firstKeyframeAt === null) return false
  const undecodable = typeof outcome === 'object' && outcome.failure === 'dados_invalidos'
  return !undecodable || performance.now() - firstKeyframeAt > stallTimeoutMs * undecodableFactor
}

interface Run {
  readonly packets: PacketSource
  readonly fanOut: FanOut
  readonly live: boolean
  readonly stallTimeoutMs: number
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly monitor: PictureMonitor
  /** Called at each keyframe, after `progress` is set. */
  onKeyframe(): void
}

async function follow(run: Run): Promise<Outcome> {
  const { packets, fanOut, live, stallTimeoutMs, signal, progress, monitor, onKeyframe } = run
  const clock = createStreamClock({ live })
  let interruption: Interruption | null = null
  let stopChecks = () => {}
  let parameters: StreamParameters | null = null
  let sequence = 0
  let isEmpty = true
  const audio: { delivery: AudioDelivery | null } = { delivery: null }

  const end = (reason: Interruption) => {
    interruption ??= reason
    packets.interrupt(reason)
  }

  const sink: PacketSink = {
    async opened(given, format) {
      audio.delivery = typeof format === 'object' ? createAudioDelivery(format, packets.heldPictures) : null
      const first = { ...given, ...audioParameters(format, audio.delivery) }
      parameters = first
      await fanOut.open({
        live,
        stallTimeoutMs,
        parameters: first,
        get closing() {
          return interruption !== null || signal.aborted
        },
        end,
        abort: () => end('aborted'),
      })
      if (live) stopChecks = checkPeriodically((now) => packets.judge?.(now) ?? fanOut.judge(now), stallTimeoutMs, end)
    },
    packet(packet) {
      isEmpty = false
      monitor.picture(packet.keyframe)
      const now = performance.now()
      progress.lastPacketAt = now
      if (packet.keyframe) {
        progress.firstKeyframeAt ??= now
        onKeyframe()
      }
      // Pictures before the first keyframe depend on missing data.
      if (progress.firstKeyframeAt === null || parameters === null) {
        fanOut.skipped()
        return undefined
      }
      if (packet.keyframe) parameters = parametersAfter(parameters, packet)
      const timeMs = clock.advance(packet.ptsMs, now, parameters.fps, packet.keyframe)
      for (const heard of audio.delivery?.picture(timeMs, now) ?? []) fanOut.audio(heard)
      if (packet.missing) sequence++
      return fanOut.packet(videoPacket(packet, sequence++, timeMs, parameters))
    },
    skipped() {
      monitor.picture(false)
      fanOut.skipped()
    },
    audio(packet) {
      for (const heard of audio.delivery?.packet(packet, performance.now()) ?? []) fanOut.audio(heard)
    },
  }

  try {
    const outcome = await packets.run(sink, signal)
    if (outcome !== 'end') return outcome
    if (isEmpty) return streamEnd('sem_quadros')
    await fanOut.end()
    return interruption ?? (signal.aborted ? 'aborted' : 'end')
  } finally {
    stopChecks()
    audio.delivery?.close()
    await fanOut.close()
  }
}

function audioParameters(
  format: Parameters<PacketSink['opened']>[1],
  delivery: AudioDelivery | null,
): Pick<StreamParameters, 'audio' | 'noAudio'> {
  if (delivery) return { audio: delivery.config }
  return format === undefined ? {} : { noAudio: format === 'absent' ? 'absent' : 'format' }
}

/** Cameras change their picture size at run time, or send the parameter sets only in the stream. */
function parametersAfter(parameters: StreamParameters, keyframe: SourcePacket): StreamParameters {
  const { codec, parameterSets } = parameters
  if (codec !== 'h264' && codec !== 'h265') return parameters
  const nals = parameters.split(keyframe.data())
  const held = nals === null ? parameterSets : parameterSetsAfter(codec, parameterSets, nals)
  return held === parameterSets ? parameters : { ...parameters, parameterSets: held }
}

const videoPacket = (
  { keyframe, bytes, data, native }: SourcePacket,
  sequence: number,
  timeMs: number,
  parameters: StreamParameters,
): VideoPacket => ({ sequence, keyframe, timeMs, bytes, parameters, data, native: () => native(timeMs) })

/** Checks a live stream a few times a second; calls `onStall` at most once. Returns a function that stops it. */
function checkPeriodically(
  judge: (now: number) => StreamEnd | null,
  stallTimeoutMs: number,
  onStall: (end: Interruption) => void,
): () => void {
  const periodMs = Math.max(20, Math.min(500, stallTimeoutMs / 10))
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // After a blocked event loop or a suspended process packets may wait unread: the next round checks again.
    const late = now - last > periodMs * 3
    last = now
    const end = late ? null : judge(now)
    if (end === null) return
    clearInterval(timer)
    onStall(end)
  }, periodMs)
  return () => clearInterval(timer)
}
