import { randomInt } from 'node:crypto'
import type { EncodedVideo } from '@vigia/video/testing/access-units'
import { packetize } from './packetize.ts'
import { complete, type Playback, type PlayRequest } from './playback.ts'
import { type RecordedSpan, type RecordedUnit, recordedUnits } from './recorded-units.ts'
import { createRtpStream, replayExtension } from './rtp-stream.ts'
import type { MediaTransport } from './transport.ts'

export interface ReplayOptions {
  readonly video: EncodedVideo
  readonly transport: MediaTransport
  /** Recorded parts, in order. */
  readonly spans: readonly RecordedSpan[]
  /** The requested part, epoch ms; `toMs` null: the recorder plays on. A Range header of PLAY replaces both. */
  readonly fromMs: number
  readonly toMs: number | null
  /** Clock of the recorder minus the true time, ms, for the times in its packets. */
  readonly offsetMs: number
  /** Packets have the replay extension (ONVIF Streaming Specification 6.3). */
  readonly hasTimes: boolean
  /** Milliseconds, monotonic. */
  readonly now: () => number
}

const MAX_PAYLOAD = 1400
/** A recorder without rate control sends at about this speed (facts of Dahua cameras: six times). */
const FAST = 6
const PER_MS = 90
const AT_THE_SPEED_OF_TIME: PlayRequest = { clock: null, scale: 1, rateControl: true }
const CONGESTED_RETRY_MS = 20

/**
 * Plays an archive once, at the speed of time or faster. A gap of the recording is a jump of the RTP time. At the
 * wanted end the source says BYE; a recorder that ignores the end goes on, and is silent behind its last picture.
 */
export function createReplay(options: ReplayOptions): Playback {
  const { video, transport, spans, offsetMs, hasTimes, now } = options
  const stream = createRtpStream()
  const base = randomInt(2 ** 32)
  let { fromMs, toMs } = options
  let timer: NodeJS.Timeout | undefined
  let units: Iterator<RecordedUnit, void> | null = null
  let pending: RecordedUnit | null = null
  let firstMs = 0
  let speed = 1
  /** Monotonic time at which the recorded moment 0 of this playback would be due, shifted by the gaps passed. */
  let dueAt0 = 0

  const dueMs = (atMs: number) => dueAt0 + (atMs - firstMs) / speed

  function advance(): void {
    const before = pending
    pending = units?.next().value ?? null
    if (!pending || !before) return
    // Nothing is sent during a gap, so the next recording follows at once.
    const isGap = !spans.some(({ inicio, fim }) => inicio <= before.atMs && pending && pending.atMs <= fim)
    if (isGap) dueAt0 -= (pending.atMs - before.atMs) / speed
  }

  function step(): void {
    while (pending && dueMs(pending.atMs) <= now()) {
      if (transport.congested()) {
        schedule(CONGESTED_RETRY_MS)
        return
      }
      if (toMs !== null && pending.atMs >= toMs) {
        transport.sendReport(stream.goodbye())
        return
      }
      send(pending)
      advance()
    }
    if (pending) schedule(Math.max(0, dueMs(pending.atMs) - now()))
  }

  const schedule = (delayMs: number) => {
    timer = setTimeout(step, delayMs)
  }

  function send({ unit, atMs }: RecordedUnit): void {
    const extension = hasTimes ? replayExtension(atMs + offsetMs, unit.key) : null
    const payloads = packetize(video.codec, complete(video, unit), MAX_PAYLOAD)
    const timestamp = base + Math.round((atMs - firstMs) * PER_MS)
    transport.sendPackets(stream.packets(payloads, timestamp, 'last', extension))
  }

  return {
    ssrc: stream.ssrc,
    play(request = AT_THE_SPEED_OF_TIME) {
      clearTimeout(timer)
      if (request.clock) ({ fromMs, toMs } = request.clock)
      speed = request.rateControl ? request.scale : FAST
      units = recordedUnits(video, spans, fromMs)
      pending = units.next().value ?? null
      firstMs = pending?.atMs ?? fromMs
      dueAt0 = now()
      const rtpInfo = { sequence: stream.nextSequence, timestamp: base }
      schedule(0)
      return rtpInfo
    },
    pause: () => clearTimeout(timer),
  }
}
