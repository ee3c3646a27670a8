/** Largest MQTT packet. An external broker must allow at least as much. */
export const MAX_PACKET_BYTES = 6 * 1024 * 1024

/** Largest message of the link (batch, answer, live frame): a packet minus topic and header. */
export const MAX_RECORD_BYTES = MAX_PACKET_BYTES - 1024

/** Keep-alive of both ends. A dead connection is detected after 1.5 times this (MQTT 3.1.1, 3.1.2.10). */
export const KEEPALIVE_S = 15

/** Largest overhead of a PUBLISH, bytes (MQTT 3.1.1 section 3.3): fixed header, topic length, packet identifier. */
const PUBLISH_OVERHEAD_BYTES = 5 + 2 + 2

/** Size of the whole PUBLISH packet. */
export const packetBytes = (topic: string, payload: Buffer): number =>
  PUBLISH_OVERHEAD_BYTES + Buffer.byteLength(topic) + payload.length

/** The packet exceeds MAX_PACKET_BYTES. Nothing was sent and the session stays up, while a broker would end it. */
export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError'
  /** Size of the packet. */
  readonly bytes: number

  constructor(topic: string, bytes: number) {
    super(`message too large for the link: ${topic}, ${bytes} bytes`)
    this.bytes = bytes
  }
}
