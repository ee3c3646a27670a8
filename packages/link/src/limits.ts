/** Largest MQTT packet the broker takes, bytes. A broker brought by the customer must allow at least as much. */
export const MAX_PACKET_BYTES = 6 * 1024 * 1024

/** Largest message of the link (a batch, an answer, a live frame), bytes: a packet less its topic and header. */
export const MAX_RECORD_BYTES = MAX_PACKET_BYTES - 1024

/** Keep-alive of both ends, seconds: a dead connection is noticed after one and a half times this. */
export const KEEPALIVE_S = 15

/** Bytes of a PUBLISH around topic and payload at most (MQTT 3.1.1 section 3.3): fixed header, topic length, packet identifier. */
const PUBLISH_OVERHEAD_BYTES = 5 + 2 + 2

/** Size of the whole PUBLISH packet, bytes. */
export const packetBytes = (topic: string, payload: Buffer): number =>
  PUBLISH_OVERHEAD_BYTES + Buffer.byteLength(topic) + payload.length

/** The packet is larger than brokers take: they would end the connection. Nothing was sent, and the session stays up. */
export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError'
  /** Of the packet. */
  readonly bytes: number

  constructor(topic: string, bytes: number) {
    super(`message too large for the link: ${topic}, ${bytes} bytes`)
    this.bytes = bytes
  }
}
