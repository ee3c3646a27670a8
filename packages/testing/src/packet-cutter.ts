/** Splits a byte stream into MQTT packets: fixed header, remaining length (MQTT 3.1.1 section 2.2.3), body. */
export function createPacketCutter(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const packets: Buffer[] = []
    for (let length = packetLength(rest); length !== null && length <= rest.length; length = packetLength(rest)) {
      packets.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    return packets
  }
}

/** Returns the length of the packet including its header, in bytes; null: the length field is incomplete. */
function packetLength(bytes: Buffer): number | null {
  let length = 0
  for (let index = 1; index <= 4; index++) {
    const byte = bytes[index]
    if (byte === undefined) return null
    length += (byte & 0x7f) * 128 ** (index - 1)
    if ((byte & 0x80) === 0) return 1 + index + length
  }
  throw new Error('malformed remaining length')
}
