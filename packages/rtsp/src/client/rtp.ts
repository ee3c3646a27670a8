import { ntpToEpochMs } from './rtcp.ts'

/** Fields of the last RTP packet; one object per stream avoids an allocation per packet. */
export interface RtpPacket {
  marker: boolean
  payloadType: number
  sequence: number
  timestamp: number
  ssrc: number
  /** The payload is `bytes[start, end)`, without header, extension and padding. */
  start: number
  end: number
  /** Epoch ms from the replay extension (ONVIF Streaming Specification 6.3, 0xABAC); null without one. */
  utcMs: number | null
}

export const emptyPacket = (): RtpPacket => ({
  marker: false,
  payloadType: 0,
  sequence: 0,
  timestamp: 0,
  ssrc: 0,
  start: 0,
  end: 0,
  utcMs: null,
})

const REPLAY_EXTENSION = 0xabac

/** Reads an RTP header (RFC 3550 5.1) into `packet`; false when the bytes are no RTP packet. */
export function readRtp(bytes: Buffer, start: number, end: number, packet: RtpPacket): boolean {
  if (end - start < 12) return false
  const first = bytes[start] ?? 0
  if ((first & 0xc0) !== 0x80) return false
  const second = bytes[start + 1] ?? 0
  let from = start + 12 + (first & 0x0f) * 4
  let to = end
  packet.utcMs = null
  if (first & 0x10) {
    if (from + 4 > end) return false
    const words = bytes.readUInt16BE(from + 2)
    if (from + 4 + words * 4 > end) return false
    if (words >= 2 && bytes.readUInt16BE(from) === REPLAY_EXTENSION)
      packet.utcMs = ntpToEpochMs(bytes.readUInt32BE(from + 4), bytes.readUInt32BE(from + 8))
    from += 4 + words * 4
  }
  if (first & 0x20) {
    const padding = bytes[end - 1] ?? 0
    if (padding === 0) return false
    to -= padding
  }
  if (from > to) return false
  packet.marker = (second & 0x80) !== 0
  packet.payloadType = second & 0x7f
  packet.sequence = bytes.readUInt16BE(start + 2)
  packet.timestamp = bytes.readUInt32BE(start + 4)
  packet.ssrc = bytes.readUInt32BE(start + 8)
  packet.start = from
  packet.end = to
  return true
}

/** Position of a packet by its sequence number: next, after a gap, or older than received packets. */
export type Order = 'next' | 'gap' | 'old'

/** Number of packets after which the use of sequence numbers is decided. */
const WINDOW = 64

export interface SequenceTracker {
  judge(sequence: number): Order
  /** Resets the state for a new source. */
  reset(): void
  /** For receiver reports. */
  readonly highest: number
  readonly lost: number
  readonly received: number
  /** Packets that came after a later one. */
  readonly late: number
}

/**
 * Follows the sequence numbers of one source (RFC 3550 A.1). A packet with a lower number than expected is old. Two
 * consecutive old packets mean that the sender restarted, which counts as a gap. When more than half of 64 packets are
 * out of order, the firmware does not number packets, and the numbers are ignored.
 */
export function createSequenceTracker(): SequenceTracker {
  let expected = -1
  let restart = -1
  let rounds = 0
  let lost = 0
  let late = 0
  let received = 0
  let odd = 0
  let judged = 0
  let meaningless = false

  function order(sequence: number): Order {
    if (expected < 0) {
      expected = (sequence + 1) & 0xffff
      return 'next'
    }
    const ahead = (sequence - expected) & 0xffff
    if (ahead >= 0x8000 && sequence !== restart) {
      restart = (sequence + 1) & 0xffff
      late++
      return 'old'
    }
    restart = -1
    if (ahead < 0x8000) lost += ahead
    const last = (expected - 1) & 0xffff
    if (sequence < last && ahead < 0x8000) rounds = (rounds + 1) & 0xffff
    expected = (sequence + 1) & 0xffff
    return ahead === 0 ? 'next' : 'gap'
  }

  return {
    judge(sequence) {
      received++
      if (meaningless) return 'next'
      const result = order(sequence)
      if (result !== 'next') odd++
      if (++judged === WINDOW) {
        meaningless = odd > WINDOW / 2
        judged = 0
        odd = 0
      }
      return result
    },
    reset() {
      expected = -1
      restart = -1
      rounds = 0
      lost = 0
      late = 0
      received = 0
    },
    get highest() {
      return rounds * 0x1_0000 + ((expected - 1) & 0xffff)
    },
    get lost() {
      return lost
    },
    get received() {
      return received
    },
    get late() {
      return late
    },
  }
}

export interface Jitter {
  packet(timestamp: number, atMs: number): void
  /** In units of the RTP clock. */
  readonly value: number
}

/** Interarrival jitter (RFC 3550 6.4.1, A.8). */
export function createJitter(clockRate: number): Jitter {
  let transit: number | null = null
  let value = 0
  return {
    packet(timestamp, atMs) {
      const arrival = Math.round((atMs * clockRate) / 1000)
      const now = (arrival - timestamp) | 0
      if (transit !== null) value += (Math.abs((now - transit) | 0) - value) / 16
      transit = now
    },
    get value() {
      return value
    },
  }
}

/** Ticks of the 90 kHz clock. */
const PER_MS = 90
/** A larger step than real time allows is a jump. */
const MAX_STEP = 10_000 * PER_MS
/** B-frames step back by at most 16 pictures (H.264 A.3.1). */
const MAX_BACK = 2000 * PER_MS

export interface Timeline {
  /** Sets `ticks` and `jumped` for the next unit. */
  advance(timestamp: number, receivedAtMs: number, keyframe: boolean): void
  /** Reports a new source, whose timestamps have another origin. */
  restart(): void
  /** Presentation time in 90 kHz, 0 for the first unit. */
  readonly ticks: number
  /** The time of this unit does not continue the time of the previous unit. */
  readonly jumped: boolean
}

/**
 * Unwraps RTP timestamps. Steps of up to 10 s, and steps as long as the elapsed real time, are accepted. Steps back of
 * up to 2 s are accepted, too (B-frames). All other steps, a keyframe that is not shown last, and a new source are
 * jumps. At a jump the time continues by the elapsed real time.
 */
export function createTimeline(clockRate: number): Timeline {
  const scale = 90_000 / clockRate
  let last: number | null = null
  let lastMs = 0
  let ticks = 0
  let highest = 0
  let restarted = false
  let jumped = false
  return {
    advance(timestamp, receivedAtMs, keyframe) {
      jumped = false
      if (last !== null) {
        const step = ((timestamp - last) | 0) * scale
        const passed = Math.max(0, receivedAtMs - lastMs) * PER_MS
        const forward = step <= MAX_STEP || Math.abs(step - passed) <= MAX_STEP
        const next = ticks + step
        jumped = restarted || !forward || next < highest - MAX_BACK || (keyframe && next <= highest)
        ticks = jumped ? highest + Math.max(1, Math.round(passed)) : next
      }
      restarted = false
      last = timestamp
      lastMs = receivedAtMs
      highest = Math.max(highest, ticks)
    },
    restart() {
      restarted = true
    },
    get ticks() {
      return Math.round(ticks)
    },
    get jumped() {
      return jumped
    },
  }
}
