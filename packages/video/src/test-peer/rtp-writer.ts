import type { Codec, Picture } from './annex-b.ts'

export interface RtpWriter {
  /** Sends one picture; `lose` selects the RTP packets that are not sent. */
  picture(picture: Picture, timestamp: number, lose?: (index: number) => boolean): void
  /** Sends one RTP packet with any payload. */
  payload(payload: Buffer, timestamp: number, marker?: boolean): void
  /** RTCP sender report (RFC 3550 section 6.4.1): ties `timestamp` to a wall clock time. */
  senderReport(unixSeconds: number, timestamp: number): void
  /** Sends bytes without framing. */
  raw(bytes: Buffer | string): void
}

const maxPayload = 400
const payloadType = 96
const ssrc = 0x5eed1234
/** Seconds between the NTP epoch (1900) and the Unix epoch. */
const ntpOffset = 2_208_988_800

/** RFC 6184 section 5.8 (FU-A) and RFC 7798 section 4.4.3: splits a NAL unit into packets. */
function fragments(nal: Buffer, codec: Codec): Buffer[] {
  if (nal.length <= maxPayload) return [nal]
  const headerLength = codec === 'h264' ? 1 : 2
  const [first = 0, second = 0] = nal
  const pieces: Buffer[] = []
  for (let at = headerLength; at < nal.length; at += maxPayload) {
    const flags = (at === headerLength ? 0x80 : 0) | (at + maxPayload >= nal.length ? 0x40 : 0)
    const header =
      codec === 'h264'
        ? [(first & 0xe0) | 28, flags | (first & 31)]
        : [(first & 0x81) | (49 << 1), second, flags | ((first >> 1) & 63)]
    pieces.push(Buffer.concat([Buffer.from(header), nal.subarray(at, at + maxPayload)]))
  }
  return pieces
}

/** `send` gets whole RTP (channel 0) and RTCP (channel 1) packets, `sendRaw` raw bytes of the connection. */
export function createRtpWriter(
  codec: Codec,
  send: (packet: Buffer, channel: 0 | 1) => void,
  sendRaw: (bytes: Buffer | string) => void,
): RtpWriter {
  let sequence = 7
  const rtp = (payload: Buffer, timestamp: number, marker: boolean): Buffer => {
    const header = Buffer.alloc(12)
    header[0] = 0x80
    header[1] = payloadType | (marker ? 0x80 : 0)
    header.writeUInt16BE(sequence++ & 0xffff, 2)
    header.writeUInt32BE(timestamp >>> 0, 4)
    header.writeUInt32BE(ssrc, 8)
    return Buffer.concat([header, payload])
  }
  return {
    picture({ nals }, timestamp, lose = () => false) {
      const payloads = nals.flatMap((nal) => fragments(nal, codec))
      payloads.forEach((payload, index) => {
        const packet = rtp(payload, timestamp, index === payloads.length - 1)
        if (!lose(index)) send(packet, 0)
      })
    },
    payload: (payload, timestamp, marker = true) => send(rtp(payload, timestamp, marker), 0),
    senderReport(unixSeconds, timestamp) {
      const report = Buffer.alloc(28)
      report[0] = 0x80
      report[1] = 200
      report.writeUInt16BE(6, 2)
      report.writeUInt32BE(ssrc, 4)
      report.writeUInt32BE(Math.floor(unixSeconds) + ntpOffset, 8)
      report.writeUInt32BE(timestamp >>> 0, 16)
      send(report, 1)
    },
    raw: sendRaw,
  }
}
