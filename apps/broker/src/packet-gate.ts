/**
 * Parses MQTT framing of a stream and stops at the first header that announces too much. The MQTT parser buffers a
 * whole packet, and a header can announce 256 MiB.
 */
export interface PacketGate {
  /**
   * Returns false if the chunk begins a packet that is too large or has a malformed length; the connection must end.
   */
  accepts(chunk: Buffer): boolean
  /** Number of packets so far. */
  readonly packets: number
  /** Announced bytes of the publications above `LARGE_BYTES` so far. */
  readonly largeBytes: number
}

/** Packet types are the upper four bits of a fixed header (MQTT 3.1.1 section 2.2.1). */
const PUBLISH = 3
/** Far above any CONNECT, SUBSCRIBE or acknowledgement of the link. */
const MAX_CONTROL_BYTES = 16 * 1024
const MAX_LENGTH_BYTES = 4
/** Publications of which the broker counts the memory. Smaller ones fit what it reads at once. */
export const LARGE_BYTES = 64 * 1024

/** @param maxPublishBytes largest "remaining length" of a PUBLISH */
export function createPacketGate(maxPublishBytes: number): PacketGate {
  /** Remaining bytes of the packet's body. */
  let body = 0
  /** Type of the packet whose length is being read; null between packets. */
  let type: number | null = null
  let length = 0
  let lengthBytes = 0
  let packets = 0
  let largeBytes = 0

  function acceptsHeaderByte(byte: number): boolean {
    if (type === null) {
      packets += 1
      type = byte >> 4
      length = 0
      lengthBytes = 0
      return true
    }
    length += (byte & 0x7f) * 128 ** lengthBytes
    lengthBytes += 1
    if ((byte & 0x80) !== 0) return lengthBytes !== MAX_LENGTH_BYTES
    if (length > (type === PUBLISH ? maxPublishBytes : MAX_CONTROL_BYTES)) return false
    if (length > LARGE_BYTES) largeBytes += length
    body = length
    type = null
    return true
  }

  return {
    accepts: (chunk) => {
      let at = 0
      while (at < chunk.length) {
        const skipped = Math.min(body, chunk.length - at)
        body -= skipped
        at += skipped
        if (at < chunk.length) {
          if (!acceptsHeaderByte(chunk.readUInt8(at))) return false
          at += 1
        }
      }
      return true
    },
    get packets() {
      return packets
    },
    get largeBytes() {
      return largeBytes
    },
  }
}
