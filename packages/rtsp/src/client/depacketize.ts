import type { AccessUnitAssembler } from './access-units.ts'
import type { Codec } from './nal-types.ts'

/** Result of one payload. `foreign`: a structure that is skipped. */
export type Depacketized = 'read' | 'damaged' | 'foreign'

/** Reads the payload `bytes[start, end)` of one RTP packet. */
export type Depacketizer = (bytes: Buffer, start: number, end: number) => Depacketized

/** Names of the skipped structures, as a person reads them. */
export const foreignStructures: Record<Codec, string> = {
  h264: 'H.264 no modo intercalado da RFC 6184',
  h265: 'H.265 em pacotes PACI da RFC 7798',
}

export const createDepacketizer = (codec: Codec, units: AccessUnitAssembler): Depacketizer =>
  codec === 'h264' ? h264(units) : h265(units)

const START = 0x80
const END = 0x40

/**
 * H.264, RFC 6184: single NAL unit (5.6; type 0 is no unit, or a start code), STAP-A (5.7.1), FU-A (5.8). The other
 * structures belong to the interleaved mode, which cameras do not use, and are skipped.
 */
function h264(units: AccessUnitAssembler): Depacketizer {
  return (bytes, start, end) => {
    const first = bytes[start] ?? 0
    const type = first & 0x1f
    if (type <= 23) {
      units.nal(bytes, start, end)
      return 'read'
    }
    if (type === 24) return aggregate(units, bytes, start + 1, end)
    if (type !== 28) return 'foreign'
    if (end - start < 3) return 'damaged'
    const fu = bytes[start + 1] ?? 0
    if (fu & START) units.begin([(first & 0xe0) | (fu & 0x1f), 0], bytes, start + 2, end)
    else units.next(fu & 0x1f, bytes, start + 2, end)
    if (fu & END) units.finish()
    return 'read'
  }
}

/**
 * H.265, RFC 7798: single NAL unit (4.4.1), aggregation packet (4.4.2), fragmentation unit (4.4.3). DONL is absent:
 * only a positive `sprop-max-don-diff` adds it. PACI packets (4.4.4) are skipped.
 */
function h265(units: AccessUnitAssembler): Depacketizer {
  return (bytes, start, end) => {
    if (end - start < 3) return 'damaged'
    const first = bytes[start] ?? 0
    const second = bytes[start + 1] ?? 0
    const type = (first >> 1) & 0x3f
    if (type === 48) return aggregate(units, bytes, start + 2, end)
    if (type === 49) {
      if (end - start < 4) return 'damaged'
      const fu = bytes[start + 2] ?? 0
      if (fu & START) units.begin([(first & 0x81) | ((fu & 0x3f) << 1), second], bytes, start + 3, end)
      else units.next(fu & 0x3f, bytes, start + 3, end)
      if (fu & END) units.finish()
      return 'read'
    }
    if (type > 48) return 'foreign'
    units.nal(bytes, start, end)
    return 'read'
  }
}

/** Reads units behind their 16-bit lengths, which may not add up. */
function aggregate(units: AccessUnitAssembler, bytes: Buffer, start: number, end: number): Depacketized {
  let at = start
  while (at + 2 <= end) {
    const from = at + 2
    at = from + bytes.readUInt16BE(at)
    if (at > end) return 'damaged'
    units.nal(bytes, from, at)
  }
  return at === end ? 'read' : 'damaged'
}
