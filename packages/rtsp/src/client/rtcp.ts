/** RTCP of one received stream (RFC 3550 6): reads sender reports and BYE, writes receiver reports. */

const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const SOURCE_DESCRIPTION = 202
const GOODBYE = 203
/** Feedback about the payload (RFC 4585 6.1). */
const PAYLOAD_FEEDBACK = 206
const PICTURE_LOSS = 1
const FULL_INTRA_REQUEST = 4
/** Seconds between 1900 (NTP) and 1970 (Unix). */
const NTP_OFFSET_S = 2_208_988_800
const CNAME = Buffer.from('vigia')

export interface SenderReport {
  readonly ssrc: number
  /** Wall clock of the sender, in epoch ms; as unreliable as the recorder's clock. */
  readonly utcMs: number
  readonly rtpTime: number
  /** The middle 32 bits of the NTP time, which a receiver report repeats. */
  readonly middle: number
}

/** Whether a frame is RTCP: its second byte is a packet type that RTP does not use (RFC 5761 4). */
export const isRtcp = (bytes: Buffer, start: number, end: number): boolean =>
  end - start >= 8 &&
  ((bytes[start] ?? 0) & 0xc0) === 0x80 &&
  (bytes[start + 1] ?? 0) >= 192 &&
  (bytes[start + 1] ?? 0) <= 223

/** Returns the last sender report of a compound packet, and whether the packet contains a BYE. */
export function readRtcp(bytes: Buffer, start: number, end: number): { report: SenderReport | null; bye: boolean } {
  let report: SenderReport | null = null
  let bye = false
  for (let at = start; end - at >= 4; ) {
    const length = 4 + bytes.readUInt16BE(at + 2) * 4
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80 || length > end - at) break
    const type = bytes[at + 1]
    if (type === SENDER_REPORT && length >= 28)
      report = {
        ssrc: bytes.readUInt32BE(at + 4),
        utcMs: ntpToEpochMs(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)),
        rtpTime: bytes.readUInt32BE(at + 16),
        middle: bytes.readUInt32BE(at + 10),
      }
    if (type === GOODBYE) bye = true
    at += length
  }
  return { report, bye }
}

export const ntpToEpochMs = (seconds: number, fraction: number): number =>
  Math.round((seconds - NTP_OFFSET_S) * 1000 + (fraction * 1000) / 2 ** 32)

export interface Reception {
  /** SSRC of the received stream. */
  readonly ssrc: number
  /** Upper 16 bits: wraps of the sequence number; lower 16 bits: the highest sequence number. */
  readonly highestSequence: number
  readonly lost: number
  /** Packets lost and expected since the last report. */
  readonly recentLost: number
  readonly recentExpected: number
  /** RFC 3550 A.8, in units of the RTP clock. */
  readonly jitter: number
  /** null: none yet. */
  readonly report: SenderReport | null
  readonly sinceReportMs: number
}

/**
 * Request for a keyframe: PLI (RFC 4585 6.3.1) or FIR (RFC 5104 4.3.1). A report without blocks
 * and the CNAME must precede it. `count`: number of the request.
 */
export function keyframeRequest(
  kind: 'pli' | 'fir',
  { ownSsrc, ssrc, count }: { readonly ownSsrc: number; readonly ssrc: number; readonly count: number },
): Buffer {
  const description = sourceDescription(ownSsrc)
  const packet = Buffer.alloc(kind === 'pli' ? 12 : 20)
  packet[0] = 0x80 | (kind === 'pli' ? PICTURE_LOSS : FULL_INTRA_REQUEST)
  packet[1] = PAYLOAD_FEEDBACK
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(ownSsrc, 4)
  // A FIR names its source in its own entry, and the number of the request.
  packet.writeUInt32BE(kind === 'pli' ? ssrc : 0, 8)
  if (kind === 'fir') {
    packet.writeUInt32BE(ssrc, 12)
    packet[16] = count & 0xff
  }
  const report = Buffer.from([0x80, RECEIVER_REPORT, 0, 1, 0, 0, 0, 0])
  report.writeUInt32BE(ownSsrc, 4)
  return Buffer.concat([report, description, packet])
}

/** The CNAME of this client (RFC 3550 6.5.1). */
function sourceDescription(ownSsrc: number): Buffer {
  const description = Buffer.alloc(Math.ceil((8 + 2 + CNAME.length + 1) / 4) * 4)
  description[0] = 0x81 // one chunk
  description[1] = SOURCE_DESCRIPTION
  description.writeUInt16BE(description.length / 4 - 1, 2)
  description.writeUInt32BE(ownSsrc, 4)
  description[8] = 1 // CNAME
  description[9] = CNAME.length
  CNAME.copy(description, 10)
  return description
}

/** Receiver report and CNAME (RFC 3550 6.4.2, 6.5.1). */
export function receiverReport(ownSsrc: number, reception: Reception): Buffer {
  const description = sourceDescription(ownSsrc)
  const packet = Buffer.alloc(32 + description.length)
  const { recentLost, recentExpected, report } = reception
  const fraction = recentExpected > 0 ? Math.min(255, Math.floor((Math.max(0, recentLost) * 256) / recentExpected)) : 0
  packet[0] = 0x81 // version 2, one report block
  packet[1] = RECEIVER_REPORT
  packet.writeUInt16BE(7, 2)
  packet.writeUInt32BE(ownSsrc, 4)
  packet.writeUInt32BE(reception.ssrc, 8)
  packet.writeUInt32BE(((fraction << 24) | Math.min(0x7f_ffff, reception.lost)) >>> 0, 12)
  packet.writeUInt32BE(reception.highestSequence >>> 0, 16)
  packet.writeUInt32BE(Math.min(2 ** 32 - 1, Math.round(reception.jitter)), 20)
  if (report) {
    packet.writeUInt32BE(report.middle, 24)
    packet.writeUInt32BE(Math.min(2 ** 32 - 1, Math.round((reception.sinceReportMs * 65_536) / 1000)), 28)
  }
  description.copy(packet, 32)
  return packet
}
