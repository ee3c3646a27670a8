import { streamEnd } from './failure.ts'
import { type AttachOptions, createFanOut, type FanOut } from './fan-out.ts'
import { createFfmpegSource } from './ffmpeg-source.ts'
import { parameterSetsAfter } from './nal-units.ts'
import type { StreamParameters, VideoPacket } from './packet.ts'
import type { PacketReader } from './packet-reader.ts'
import type { Interruption, Outcome, PacketSink, PacketSource, SourcePacket, Transport } from './packet-source.ts'
import { parseSource } from './source.ts'
import { type PacketProgress, packetsStalled } from './stall.ts'
import { createStreamClock } from './stream-clock.ts'

export interface ConnectionOptions {
  /** `rtsp://` or `rtsps://` URL, or the path of a file. */
  readonly url: string
  readonly transport?: Transport
  /** Milliseconds until the stream must have begun to play. */
  readonly openTimeoutMs?: number
  /** Milliseconds without a packet, or without a picture that decodes, after which the stream counts as dead. */
  readonly stallTimeoutMs?: number
}

/** One stream, delivered to any number of readers. */
export interface Connection {
  /** Also while the connection runs: the reader begins at the next keyframe. Returns what detaches it. */
  attach(reader: PacketReader, options?: AttachOptions): () => void
  /**
   * Reads until the stream ends, fails, or `signal` aborts, and resolves with which of them it was (`end`: a file came to its
   * end). Rejects only with the fault of a pacing reader. Resolves after the pacing readers are closed and all is freed. Runs may
   * follow one another.
   */
  run(signal: AbortSignal): Promise<Outcome>
}

const defaultTimeoutMs = 10_000

export function createConnection(options: ConnectionOptions): Connection {
  const { transport = 'tcp', openTimeoutMs = defaultTimeoutMs, stallTimeoutMs = defaultTimeoutMs } = options
  const fanOut = createFanOut()
  return {
    attach: fanOut.attach,
    async run(signal) {
      const source = parseSource(options.url)
      if (source === null) return streamEnd('url_ilegivel')
      const packets = createFfmpegSource(source, { transport, openTimeoutMs, stallTimeoutMs })
      return await follow({ packets, fanOut, live: source.kind === 'rtsp', stallTimeoutMs, signal })
    },
  }
}

interface Run {
  readonly packets: PacketSource
  readonly fanOut: FanOut
  readonly live: boolean
  readonly stallTimeoutMs: number
  readonly signal: AbortSignal
}

async function follow({ packets, fanOut, live, stallTimeoutMs, signal }: Run): Promise<Outcome> {
  const clock = createStreamClock({ live })
  const progress: PacketProgress = { openedAt: 0, firstPacketAt: null, lastPacketAt: null, keyframeSeen: false }
  let interruption: Interruption | null = null
  let stopWatching = () => {}
  let parameters: StreamParameters | null = null
  let sequence = 0

  const end = (reason: Interruption) => {
    interruption ??= reason
    packets.interrupt(reason)
  }

  const sink: PacketSink = {
    async opened(first) {
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
      progress.openedAt = performance.now()
      if (live) stopWatching = watch(progress, fanOut, stallTimeoutMs, end)
    },
    packet(packet) {
      const now = performance.now()
      progress.firstPacketAt ??= now
      progress.lastPacketAt = now
      progress.keyframeSeen ||= packet.keyframe
      // Pictures before the first keyframe build on data that is missing.
      if (!progress.keyframeSeen || parameters === null) return undefined
      if (packet.keyframe) parameters = parametersAfter(parameters, packet)
      const timeMs = clock.advance(packet.ptsMs, now, parameters.fps, packet.keyframe)
      return fanOut.packet(videoPacket(packet, sequence++, timeMs, parameters))
    },
  }

  try {
    const outcome = await packets.run(sink, signal)
    if (outcome !== 'end') return outcome
    if (progress.firstPacketAt === null) return streamEnd('sem_quadros')
    await fanOut.end()
    return interruption ?? (signal.aborted ? 'aborted' : 'end')
  } finally {
    stopWatching()
    await fanOut.close()
  }
}

/** Cameras change their size at run time, or state the parameter sets only here. */
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

/** Judges a live stream a few times a second; calls `onStall` at most once. Returns what stops it. */
function watch(
  progress: PacketProgress,
  fanOut: FanOut,
  stallTimeoutMs: number,
  onStall: (end: Interruption) => void,
): () => void {
  const periodMs = Math.max(20, Math.min(500, stallTimeoutMs / 10))
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // After a blocked event loop or a suspended process, packets may be waiting unread: judge on the next round.
    const late = now - last > periodMs * 3
    last = now
    const end = late ? null : (packetsStalled(progress, now, stallTimeoutMs) ?? fanOut.judge(now))
    if (end === null) return
    clearInterval(timer)
    onStall(end)
  }, periodMs)
  return () => clearInterval(timer)
}
