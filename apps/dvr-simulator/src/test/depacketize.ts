/**
 * Extracts NAL units from the RTP payloads of one access unit. Written from RFC 6184 and RFC 7798, independent of the
 * packetizer.
 */
export function depacketize(codec: 'h264' | 'h265', payloads: readonly Buffer[]): Buffer[] {
  const nals: Buffer[] = []
  let partial: Buffer[] = []
  for (const payload of payloads) {
    const type = codec === 'h264' ? payload.readUInt8(0) % 32 : Math.floor(payload.readUInt8(0) / 2) % 64
    const isAggregate = codec === 'h264' ? type === 24 : type === 48
    const isFragment = codec === 'h264' ? type === 28 : type === 49
    const headerLength = codec === 'h264' ? 1 : 2
    if (isAggregate) {
      for (let offset = headerLength; offset < payload.length; ) {
        const length = payload.readUInt16BE(offset)
        nals.push(payload.subarray(offset + 2, offset + 2 + length))
        offset += 2 + length
      }
    } else if (isFragment) {
      const fu = payload.readUInt8(headerLength)
      if (fu & 0x80) {
        const first = payload.readUInt8(0)
        const header =
          codec === 'h264'
            ? [(first & 0xe0) | (fu & 0x1f)]
            : [(first & 0x81) | ((fu & 0x3f) << 1), payload.readUInt8(1)]
        partial = [Buffer.from(header)]
      }
      partial.push(payload.subarray(headerLength + 1))
      if (fu & 0x40) nals.push(Buffer.concat(partial))
    } else nals.push(payload)
  }
  return nals
}
