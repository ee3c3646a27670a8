import { randomBytes, randomInt } from 'node:crypto'
import type { AccessUnit, EncodedVideo } from '@vigia/video/testing/access-units'
import { isLong } from '../quirks.ts'
import type { PausePoint } from './pause-point.ts'
import { packetsOf, type SendingQuirk, sendWithReports, timeOffset } from './quirky-packets.ts'
import { createRtpStream } from './rtp-stream.ts'
import type { MediaTransport } from './transport.ts'

const REPORT_EVERY_MS = 5000
/** Largest delay behind the clock. After a longer one (a suspended process) pictures are skipped up to a keyframe. */
const MAX_LAG_MS = 2000

export interface PlaybackOptions {
  readonly video: EncodedVideo
  /** Second stream for `parametros_mudam`. */
  readonly other?: EncodedVideo | null
  readonly transport: MediaTransport
  readonly quirk: SendingQuirk | null
  /** Milliseconds, monotonic. */
  readonly now: () => number
  /** Position of the channel in its loop: all clients see the same, like a live camera. */
  readonly pausePoint: PausePoint
  /** Called for each keyframe that is sent in its place. */
  readonly onKeyframe?: (() => void) | undefined
  /** Called when the quirk closes the connection. */
  readonly onCut: () => void
  /** Called as the first picture is sent, with its position in the loop, ms. */
  readonly onPlay?: ((positionMs: number) => void) | undefined
}

/** The endless loop of one video for one session, with pause and resume. */
export interface Playback {
  readonly ssrc: string
  /**
   * Starts: a live channel at the last keyframe (`grupo_longo`: now), an archive as requested. Returns the values for
   * RTP-Info (RFC 2326 12.33).
   */
  play(request?: PlayRequest): { sequence: number; timestamp: number }
  pause(): void
}

/** Headers of PLAY that matter to an archive. */
export interface PlayRequest {
  /** Range header with `clock=`, epoch ms. */
  readonly clock: { readonly fromMs: number; readonly toMs: number | null } | null
  /** Speed (RFC 2326 12.34). */
  readonly scale: number
  /** ONVIF Streaming Specification 6.5.2; false: as fast as possible. */
  readonly rateControl: boolean
}

/** A playback of a live channel. */
export interface LivePlayback extends Playback {
  /** While it plays: goes on at the keyframe of the present group. */
  sendKeyframe(): void
}

export function createPlayback(options: PlaybackOptions): LivePlayback {
  const { transport, quirk, now, pausePoint, onCut } = options
  let { video } = options
  let stream = createRtpStream()
  const perMs = video.timescale / 1000
  const createdAt = now()
  /** RTP time at `createdAt`, random as RFC 3550 5.1 requires; exceeds 32 bits and is truncated when written. */
  const timestampBase = randomInt(2 ** 32)
  let timer: NodeJS.Timeout | undefined
  let position: Position = { loop: 0, index: 0 }
  /** RTP time of the loop's beginning, and its due wall time, in ms. */
  let origin = { timestamp: 0, dueMs: 0 }
  let lastTimestamp = -1
  let sent = 0
  let [skipping, wasCalled] = [false, false]

  const dueMs = () => origin.dueMs + decodeTime(video, position) / perMs
  const schedule = () => {
    timer = setTimeout(step, Math.max(0, dueMs() - now()))
  }
  const reportNow = () => stream.senderReport(Math.round(origin.timestamp + (now() - origin.dueMs) * perMs), Date.now())
  const report = reportsOf(transport, now, reportNow)

  /** Sends all due pictures. After a slow client or a clock jump it drops pictures, so that memory stays bounded. */
  function step(): void {
    while (dueMs() <= now()) {
      const unit = unitAt(video, position)
      const late = now() - dueMs() > MAX_LAG_MS || transport.congested()
      skipping = late || (skipping && !unit.key)
      if (!skipping && !send(unit)) return
      if (unit.key && !skipping && !wasCalled) options.onKeyframe?.()
      wasCalled = false
      // The picture is due again after one frame.
      if (unit.key && pausePoint.stopsAt(unit.dts / perMs)) origin = oneFrameLater(origin, 1000 / video.fps, perMs)
      else position = next(video, position)
      if (sent === quirk?.quadros) change()
    }
    schedule()
  }

  /** Returns false when the quirk has ended the playback. */
  function send(unit: AccessUnit): boolean {
    if (quirk?.defeito === 'encerra' && sent >= quirk.quadros) {
      onCut()
      return false
    }
    if (quirk?.defeito === 'trava' && sent >= quirk.quadros) return false
    const timestamp = origin.timestamp + position.loop * video.duration + unit.pts
    lastTimestamp = Math.max(lastTimestamp, timestamp)
    const number = sent++
    if (quirk?.defeito === 'lixo_bruto') {
      transport.sendRaw(randomBytes(200))
      return true
    }
    const [nals, shown] = [complete(video, unit), timestamp + timeOffset(quirk, number)]
    const packets = packetsOf(stream, { codec: video.codec, nals, timestamp: shown, number, quirk })
    if (quirk?.defeito === 'rtcp_intercalado') sendWithReports(transport, packets, reportNow)
    else transport.sendPackets(packets)
    report()
    return true
  }

  /** Applies a quirk that takes effect during the playback. */
  function change(): void {
    if (quirk?.defeito === 'troca_fonte') {
      stream = createRtpStream()
      origin = { ...origin, timestamp: origin.timestamp + randomInt(2 ** 31) }
    }
    if (quirk?.defeito !== 'parametros_mudam' || !options.other) return
    video = options.other
    continueAt({ loop: 0, index: 0 })
  }

  /** The picture at this position is due one frame after the last one. */
  function continueAt(next: Position): void {
    const frame = video.timescale / video.fps
    position = next
    origin = originOf(unitAt(video, next), lastTimestamp + Math.round(frame), now() + frame / perMs, perMs)
  }

  return {
    ssrc: stream.ssrc,
    play() {
      clearTimeout(timer)
      const elapsed = now()
      position = unitBefore(video, pausePoint.positionMs() * perMs, !isLong(quirk))
      const unit = unitAt(video, position)
      // During a pause the RTP time follows the wall clock (RFC 2326, appendix B).
      const timestamp = Math.max(timestampBase + Math.round((elapsed - createdAt) * perMs), lastTimestamp + 1)
      origin = originOf(unit, timestamp, elapsed, perMs)
      skipping = false
      const rtpInfo = { sequence: stream.nextSequence, timestamp: timestamp >>> 0 }
      if (!isSilent(options)) schedule()
      options.onPlay?.(unit.dts / perMs)
      return rtpInfo
    },
    pause() {
      clearTimeout(timer)
      timer = undefined
    },
    sendKeyframe() {
      if (timer === undefined) return
      clearTimeout(timer)
      continueAt(groupStart(video, position))
      wasCalled = true
      schedule()
    },
  }
}

/** Returns a function that sends a report if one is due. */
function reportsOf(transport: MediaTransport, now: () => number, build: () => Buffer): () => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - lastMs < REPORT_EVERY_MS) return
    lastMs = now()
    transport.sendReport(build())
  }
}

const isSilent = ({ quirk, transport }: PlaybackOptions): boolean =>
  quirk?.defeito === 'sem_pacotes' ||
  (quirk?.defeito === 'tcp_sem_pacotes' && transport.header.startsWith('RTP/AVP/TCP'))

/** The origin at which this picture has the RTP time `timestamp`, and is due at `dueMs`. */
const originOf = ({ pts, dts }: AccessUnit, timestamp: number, dueMs: number, ticksPerMs: number) => ({
  timestamp: timestamp - pts,
  dueMs: dueMs - dts / ticksPerMs,
})

/** The origin that makes the same picture due again after one frame of `frameMs`. */
const oneFrameLater = (
  { timestamp, dueMs }: { timestamp: number; dueMs: number },
  frameMs: number,
  ticksPerMs: number,
) => ({ timestamp: timestamp + Math.round(frameMs * ticksPerMs), dueMs: dueMs + frameMs })

/** A position in the endless loop; each playback counts the loops from its own start. */
interface Position {
  readonly loop: number
  readonly index: number
}

function unitAt({ units }: EncodedVideo, { index }: Position): AccessUnit {
  const unit = units[index]
  if (!unit) throw new RangeError(`no unit ${index} of ${units.length}`)
  return unit
}

const next = ({ units }: EncodedVideo, { loop, index }: Position): Position =>
  index + 1 < units.length ? { loop, index: index + 1 } : { loop: loop + 1, index: 0 }

/** The keyframe of the group of a picture. */
function groupStart({ units }: EncodedVideo, { index }: Position): Position {
  const start = units.findLastIndex(({ key }, at) => key && at <= index)
  return { loop: 0, index: Math.max(0, start) }
}

/** Ticks since the start of the playback's first loop. */
const decodeTime = (video: EncodedVideo, position: Position): number =>
  position.loop * video.duration + unitAt(video, position).dts

/** The last picture, or keyframe, at or before a time. */
function unitBefore({ units, duration }: EncodedVideo, ticks: number, onlyKeyframes: boolean): Position {
  const within = Math.max(0, ticks) % duration
  return {
    loop: 0,
    index: Math.max(
      0,
      units.findLastIndex(({ key, dts }) => (key || !onlyKeyframes) && dts <= within),
    ),
  }
}

/** Parameter sets precede every keyframe, so that a client can start there without the SDP's parameter sets. */
export const complete = (video: EncodedVideo, unit: AccessUnit): readonly Buffer[] =>
  unit.key ? [...video.parameterSets, ...unit.nals.filter((nal) => !isParameterSet(video, nal))] : unit.nals

function isParameterSet({ codec }: EncodedVideo, nal: Buffer): boolean {
  const first = nal[0] ?? 0
  if (codec === 'h264') return (first & 0x1f) === 7 || (first & 0x1f) === 8
  const type = (first >> 1) & 0x3f
  return type >= 32 && type <= 34
}
