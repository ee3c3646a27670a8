export interface PublishPacket {
  readonly topic: string
  readonly payload: Buffer
}

const PUBLISH = 3

/** Returns topic and payload of a complete MQTT packet (MQTT 3.1.1, section 3.3); null: it is no PUBLISH. */
export function readPublish(packet: Buffer): PublishPacket | null {
  const first = packet[0] ?? 0
  if (first >> 4 !== PUBLISH) return null
  let offset = 1
  while (((packet[offset] ?? 0) & 0x80) !== 0) offset += 1
  const topicStart = offset + 3
  const topicEnd = topicStart + packet.readUInt16BE(offset + 1)
  // Only with QoS 1 and 2 a packet identifier follows the topic.
  const payloadStart = topicEnd + ((first & 0x06) === 0 ? 0 : 2)
  return { topic: packet.subarray(topicStart, topicEnd).toString(), payload: packet.subarray(payloadStart) }
}
