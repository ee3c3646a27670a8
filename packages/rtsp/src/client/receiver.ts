import type { SdpVideo } from '../sdp.ts'
import { type AssembledUnit, createAssembler } from './access-units.ts'
import type { Channels } from './addresses.ts'
import { createDepacketizer, foreignStructures } from './depacketize.ts'
import type { MediaLine } from './media-line.ts'
import type { Codec } from './nal-types.ts'
import { createParameterSets } from './parameter-sets.ts'
import { isRtcp, keyframeRequest, type Reception, readRtcp, receiverReport, type SenderReport } from './rtcp.ts'
import { createJitter, createSequenceTracker, createTimeline, emptyPacket, readRtp } from './rtp.ts'

/** One coded picture. */
export interface RtspAccessUnit {
  /** All NAL units behind start codes of four bytes, ready for a decoder, in a separate allocation. */
  readonly annexB: Buffer
  /** Views into `annexB` in decoding order, including parameter sets, SEI and delimiters. */
  readonly nals: readonly Buffer[]
  /** Decoding can begin here: IDR or recovery point (H.264), IRAP (H.265). The first unit is a keyframe. */
  readonly keyframe: boolean
  /** Presentation time in 90 kHz, unwrapped, 0 for the first unit. B-frames step back. */
  readonly ticks: number
  /** Time in 90 kHz from the first picture of the session, which may have been skipped, to the first unit. */
  readonly skippedTicks: number
  /** Packets or time before this unit are missing. If packets are missing, this unit is a keyframe. */
  readonly discontinuity: boolean
  /** Arrival of its first packet by `performance.now()`. */
  readonly receivedAtMs: number
  /**
   * Epoch ms by the recorder's clock, from the replay extension or the sender reports; null before the first of them.
   */
  readonly utcMs: number | null
  /** `utcMs` from the replay extension alone, which names the recorded moment. Sender reports may name the present. */
  readonly replayUtcMs: number | null
  /** The RTP time does not continue: the ticks continue by the elapsed real time. Such a unit is a discontinuity. */
  readonly jumped: boolean
}

export interface RtspParameters {
  readonly codec: Codec
  /** NAL units: VPS (H.265), SPS, PPS. */
  readonly parameterSets: readonly Buffer[]
}

export interface MediaHandlers {
  onParameters(parameters: RtspParameters): void
  onAccessUnit(unit: RtspAccessUnit): void
  /** A picture is skipped, because no keyframe has come before it. */
  onSkipped?: (() => void) | undefined
  /** The source ended the stream (RTCP BYE). */
  onBye(): void
  /** Sends an RTCP packet to the server. */
  report(packet: Buffer): void
  /** Called with each receiver report over UDP. */
  onLosses?: ((losses: RtpLosses) => void) | undefined
}

/** Packets of one source since the stream began. */
export interface RtpLosses {
  readonly lost: number
  readonly received: number
  /** Interarrival jitter (RFC 3550 6.4.1). */
  readonly jitterMs: number
}

export interface MediaReceiver {
  frame(channel: number, bytes: Buffer, start: number, end: number, atMs: number): void
  /** Called at the end of the stream: passes on the last unit if it is complete. */
  flush(): void
  readonly packets: number
  /** Arrival of the last packet; null before the first. */
  readonly lastPacketAtMs: number | null
  /** Time of the last unit passed on. */
  readonly lastUnitAtMs: number | null
  /** Pictures that are skipped because no keyframe has come before them; null: none, or a keyframe was of no use. */
  readonly skipped: { readonly sinceMs: number; readonly lastAtMs: number } | null
  /** Keyframes arrive, and packets of several in a row were late or lost. `detail`: as a person reads it. */
  readonly damage: { readonly detail: string } | null
  /** Name of the structure of most packets, if this client does not read it. */
  readonly foreignStructure: string | null
}

const REPORT_EVERY_MS = 5000
/** Interval of the requests for a keyframe while none comes. */
const REQUEST_EVERY_MS = 2000
/** Number of damaged keyframes in a row that are no chance. */
const DAMAGED_KEYFRAMES = 5

/**
 * Turns the frames of one video stream into access units. After a lost packet or a damaged or too large unit, units are
 * skipped up to the next keyframe. That keyframe is marked as a discontinuity. Packets with another payload type are
 * skipped.
 */
export function createMediaReceiver(
  video: SdpVideo & { readonly codec: Codec },
  { rtp: firstChannel, transport }: Pick<Channels, 'rtp'> & Pick<MediaLine, 'transport'>,
  handlers: MediaHandlers,
): MediaReceiver {
  const packet = emptyPacket()
  const sequence = createSequenceTracker()
  const timeline = createTimeline(video.clockRate)
  // Over TCP the jitter would measure the buffers of the connection.
  const jitter = transport === 'udp' ? createJitter(video.clockRate) : null
  const parameters = createParameterSets(video.codec)
  const units = createAssembler(video.codec, {
    onUnit,
    onDamage: () => (awaitsKeyframe = true),
    onDamagedKeyframe: () => damagedKeyframes++,
  })
  const depacketize = createDepacketizer(video.codec, units)
  const ownSsrc = Math.floor(Math.random() * 2 ** 32)
  let channel = firstChannel
  let channelProven = false
  let ssrc: number | null = null
  let awaitsKeyframe = true
  /** Time of the first unit, and of the first one passed on. */
  let firstTicks: number | null = null
  let origin: number | null = null
  let discontinuity = false
  let jumped = false
  let report: SenderReport | null = null
  let reportAtMs = 0
  let answeredAtMs = Number.NEGATIVE_INFINITY
  let answered = { lost: 0, received: 0 }
  let packets = 0
  let foreign = 0
  let lastPacketAtMs: number | null = null
  let lastUnitAtMs: number | null = null
  let skipped: MediaReceiver['skipped'] = null
  let requestedAtMs = Number.NEGATIVE_INFINITY
  let requests = 0
  /** Since the last unit that was passed on. */
  let damagedKeyframes = 0
  /** The stream has a keyframe, but not what it takes to decode it. */
  let keyframeIsUseless = false

  if (parameters.take(video.parameterSets) && parameters.complete) announce()

  function announce(): void {
    handlers.onParameters({ codec: video.codec, parameterSets: parameters.all })
  }

  function onUnit(unit: AssembledUnit): void {
    timeline.advance(unit.timestamp, unit.receivedAtMs, unit.keyframe)
    firstTicks ??= timeline.ticks
    discontinuity ||= timeline.jumped || awaitsKeyframe
    jumped ||= timeline.jumped
    const changed = unit.parameterSets.length > 0 && parameters.take(unit.parameterSets)
    if (changed && parameters.complete) announce()
    if ((awaitsKeyframe && !unit.keyframe) || !parameters.complete) {
      awaitsKeyframe = true
      skip(unit)
      return
    }
    awaitsKeyframe = false
    skipped = null
    damagedKeyframes = 0
    keyframeIsUseless = false
    lastUnitAtMs = lastPacketAtMs
    const first = origin === null
    origin ??= timeline.ticks
    const { annexB, nals, keyframe, receivedAtMs } = unit
    const [marked, hasJumped] = [discontinuity && !first, jumped && !first]
    discontinuity = false
    jumped = false
    const utcMs = unit.utcMs ?? utcOf(unit.timestamp)
    handlers.onAccessUnit({
      annexB,
      nals,
      keyframe,
      ticks: timeline.ticks - origin,
      skippedTicks: origin - firstTicks,
      discontinuity: marked,
      receivedAtMs,
      utcMs,
      replayUtcMs: unit.utcMs,
      jumped: hasJumped,
    })
  }

  function skip({ keyframe, receivedAtMs }: AssembledUnit): void {
    keyframeIsUseless ||= keyframe
    skipped = keyframeIsUseless ? null : { sinceMs: skipped?.sinceMs ?? receivedAtMs, lastAtMs: receivedAtMs }
    if (skipped === null) return
    handlers.onSkipped?.()
    if (video.keyframeRequest === undefined || ssrc === null || receivedAtMs - requestedAtMs < REQUEST_EVERY_MS) return
    requestedAtMs = receivedAtMs
    handlers.report(keyframeRequest(video.keyframeRequest, { ownSsrc, ssrc, count: requests++ }))
  }

  /** RFC 3550 6.4.1: a sender report names one moment in both clocks. */
  const utcOf = (timestamp: number): number | null =>
    report && Math.round(report.utcMs + (((timestamp - report.rtpTime) | 0) * 1000) / video.clockRate)

  function rtp(from: number, bytes: Buffer, start: number, end: number, atMs: number): void {
    if (!readRtp(bytes, start, end, packet) || packet.payloadType !== video.payloadType) return
    if (from !== channel) {
      // Some servers answer SETUP with one channel and send on another: the first channel with the negotiated payload
      // type counts.
      if (channelProven) return
      channel = from
    }
    channelProven = true
    packets++
    lastPacketAtMs = atMs
    if (ssrc !== packet.ssrc) changeSource()
    const order = sequence.judge(packet.sequence)
    jitter?.packet(packet.timestamp, atMs)
    // Some servers end a session over UDP without a report.
    if (jitter) answer(atMs)
    if (order === 'old') return
    if (order === 'gap') units.lost(packet.timestamp)
    if (packet.end === packet.start) return
    units.packet(packet.timestamp, atMs, packet.utcMs)
    const result = depacketize(bytes, packet.start, packet.end)
    if (result === 'damaged') units.lost(packet.timestamp)
    else if (result === 'foreign') foreign++
    units.endPacket(packet.marker)
  }

  function changeSource(): void {
    if (ssrc !== null) {
      units.lost(packet.timestamp)
      timeline.restart()
      report = null
      answered = { lost: 0, received: 0 }
    }
    ssrc = packet.ssrc
    sequence.reset()
  }

  function rtcp(bytes: Buffer, start: number, end: number, atMs: number): void {
    const found = readRtcp(bytes, start, end)
    if (found.report && found.report.ssrc === (ssrc ?? found.report.ssrc)) {
      report = found.report
      reportAtMs = atMs
    }
    if (found.bye) handlers.onBye()
    else if (report) answer(atMs)
  }

  function answer(atMs: number): void {
    if (ssrc === null || atMs - answeredAtMs < REPORT_EVERY_MS) return
    answeredAtMs = atMs
    handlers.report(receiverReport(ownSsrc, reception(ssrc, atMs)))
    if (!jitter) return
    const { lost, received } = sequence
    handlers.onLosses?.({ lost, received, jitterMs: (jitter.value * 1000) / video.clockRate })
  }

  function reception(source: number, atMs: number): Reception {
    const recentLost = sequence.lost - answered.lost
    const recentExpected = recentLost + sequence.received - answered.received
    answered = { lost: sequence.lost, received: sequence.received }
    return {
      ssrc: source,
      highestSequence: sequence.highest,
      lost: sequence.lost,
      recentLost,
      recentExpected,
      jitter: jitter?.value ?? 0,
      report,
      sinceReportMs: atMs - reportAtMs,
    }
  }

  return {
    frame(from, bytes, start, end, atMs) {
      if (isRtcp(bytes, start, end)) rtcp(bytes, start, end, atMs)
      else rtp(from, bytes, start, end, atMs)
    },
    flush: () => units.flush(),
    get packets() {
      return packets
    },
    get lastPacketAtMs() {
      return lastPacketAtMs
    },
    get lastUnitAtMs() {
      return lastUnitAtMs
    },
    get skipped() {
      return skipped
    },
    get damage() {
      if (damagedKeyframes < DAMAGED_KEYFRAMES) return null
      const { late, lost } = sequence
      // Packets that are neither late nor lost hold something else than video.
      if (late + lost === 0) return null
      const kind = late >= lost / 2 ? 'fora de ordem' : 'faltando'
      return { detail: `${DAMAGED_KEYFRAMES} quadros-chave seguidos com pacotes ${kind}` }
    },
    get foreignStructure() {
      return foreign > packets / 2 ? foreignStructures[video.codec] : null
    },
  }
}
