import { randomBytes, randomInt } from 'node:crypto'

/** Payload type of the video track (dynamic range, RFC 3551 6). */
export const PAYLOAD_TYPE = 96
const CNAME = Buffer.from('vigia-simulador')
/** Seconds between 1900 (NTP) and 1970 (Unix). */
const NTP_OFFSET_S = 2_208_988_800

/** One synchronisation source: sequence numbers, SSRC and counters of a session (RFC 3550 5.1, 6.4.1). */
export interface RtpStream {
  /** Eight hex digits. */
  readonly ssrc: string
  readonly nextSequence: number
  /** Builds the packets of one access unit: one timestamp (its low 32 bits are sent), marker on the last by default. */
  packets(
    payloads: readonly Buffer[],
    timestamp: number,
    marked?: 'last' | 'none' | 'all',
    extension?: Buffer | null,
  ): Buffer[]
  /** RTCP packet that ends the source (RFC 3550 6.6). */
  goodbye(): Buffer
  /** Compound RTCP packet: sender report and the obligatory CNAME. `timestamp` is the RTP time at `epochMs`. */
  senderReport(timestamp: number, epochMs: number): Buffer
}

export function createRtpStream(payloadType = PAYLOAD_TYPE): RtpStream {
  const ssrc = randomBytes(4)
  let sequence = randomInt(0x1_0000)
  let packetCount = 0
  let octetCount = 0
  return {
    ssrc: ssrc.toString('hex'),
    get nextSequence() {
      return sequence
    },
    packets: (payloads, timestamp, marked = 'last', extension = null) =>
      payloads.map((payload, index) => {
        const headerBytes = 12 + (extension?.length ?? 0)
        const packet = Buffer.allocUnsafe(headerBytes + payload.length)
        packet[0] = extension ? 0x90 : 0x80 // version 2, extension bit
        const marker = marked === 'all' || (marked === 'last' && index === payloads.length - 1)
        packet[1] = payloadType | (marker ? 0x80 : 0)
        packet.writeUInt16BE(sequence, 2)
        packet.writeUInt32BE(timestamp >>> 0, 4)
        ssrc.copy(packet, 8)
        extension?.copy(packet, 12)
        payload.copy(packet, headerBytes)
        sequence = (sequence + 1) & 0xffff
        packetCount = (packetCount + 1) >>> 0
        octetCount = (octetCount + payload.length) >>> 0
        return packet
      }),
    goodbye: () => Buffer.concat([Buffer.from([0x81, 203, 0, 1]), ssrc]),
    senderReport(timestamp, epochMs) {
      const report = Buffer.alloc(28)
      report[0] = 0x80
      report[1] = 200 // SR
      report.writeUInt16BE(6, 2) // length in words minus one
      ssrc.copy(report, 4)
      writeNtp(report, 8, epochMs)
      report.writeUInt32BE(timestamp >>> 0, 16)
      report.writeUInt32BE(packetCount, 20)
      report.writeUInt32BE(octetCount, 24)
      // Header, SSRC, item header, text and at least one zero byte, padded to 32-bit words.
      const description = Buffer.alloc(Math.ceil((8 + 2 + CNAME.length + 1) / 4) * 4)
      description[0] = 0x81 // one chunk
      description[1] = 202 // SDES
      description.writeUInt16BE(description.length / 4 - 1, 2)
      ssrc.copy(description, 4)
      description[8] = 1 // CNAME
      description[9] = CNAME.length
      CNAME.copy(description, 10)
      return Buffer.concat([report, description])
    },
  }
}

function writeNtp(target: Buffer, at: number, epochMs: number): void {
  const seconds = Math.floor(epochMs / 1000)
  target.writeUInt32BE((seconds + NTP_OFFSET_S) >>> 0, at)
  target.writeUInt32BE(Math.floor(((epochMs - seconds * 1000) / 1000) * 2 ** 32) >>> 0, at + 4)
}

/** Header extension with the recorded time of a picture (ONVIF Streaming Specification 6.3): 0xABAC, three words. */
export function replayExtension(epochMs: number, isKey: boolean): Buffer {
  const extension = Buffer.alloc(16)
  extension.writeUInt16BE(0xabac, 0)
  extension.writeUInt16BE(3, 2)
  writeNtp(extension, 4, epochMs)
  extension[12] = isKey ? 0x80 : 0 // C: a clean point
  return extension
}
