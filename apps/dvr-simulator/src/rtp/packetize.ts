/**
 * Packs the NAL units of one access unit into RTP payloads: H.264 by RFC 6184 (packetization-mode 1), H.265 by RFC
 * 7798. Small units are aggregated (STAP-A, AP), large ones fragmented (FU-A, FU).
 */
type Codec = 'h264' | 'h265'

/** Size of the NAL unit header in bytes, and the types of aggregation and fragmentation packets. */
const forms = {
  h264: { header: 1, aggregate: 24, fragment: 28 },
  h265: { header: 2, aggregate: 48, fragment: 49 },
} as const

export function packetize(codec: Codec, nals: readonly Buffer[], maxPayload: number): Buffer[] {
  const payloads: Buffer[] = []
  let together: Buffer[] = []
  let size = forms[codec].header
  const flush = () => {
    const [only] = together
    if (together.length === 1 && only) payloads.push(only)
    else if (together.length > 1) payloads.push(aggregate(codec, together))
    together = []
    size = forms[codec].header
  }
  for (const nal of nals) {
    if (size + 2 + nal.length > maxPayload) flush()
    if (nal.length > maxPayload) payloads.push(...fragment(codec, nal, maxPayload))
    else {
      together.push(nal)
      size += 2 + nal.length
    }
  }
  flush()
  return payloads
}

/** STAP-A (RFC 6184 5.7.1) or AP (RFC 7798 4.4.2): one header, then each unit behind its 16-bit length. */
function aggregate(codec: Codec, nals: readonly Buffer[]): Buffer {
  const parts = nals.flatMap((nal) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(nal.length)
    return [length, nal]
  })
  return Buffer.concat([aggregateHeader(codec, nals), ...parts])
}

function aggregateHeader(codec: Codec, nals: readonly Buffer[]): Buffer {
  const { aggregate: type } = forms[codec]
  // H.264: the highest NRI of all units. H.265: layer 0 and the lowest temporal id; cameras send nothing else.
  if (codec === 'h264') return Buffer.from([Math.max(...nals.map((nal) => (nal[0] ?? 0) & 0x60)) | type])
  return Buffer.from([type << 1, Math.min(...nals.map((nal) => (nal[1] ?? 1) & 7))])
}

/** FU-A (RFC 6184 5.8) or FU (RFC 7798 4.4.3). */
function fragment(codec: Codec, nal: Buffer, maxPayload: number): Buffer[] {
  const { header, fragment: type } = forms[codec]
  const first = nal[0] ?? 0
  const indicator = codec === 'h264' ? [(first & 0xe0) | type] : [(first & 0x81) | (type << 1), nal[1] ?? 1]
  const nalType = codec === 'h264' ? first & 0x1f : (first >> 1) & 0x3f
  const spaceBytes = maxPayload - header - 1
  const fragments: Buffer[] = []
  for (let offset = header; offset < nal.length; offset += spaceBytes) {
    const start = offset === header ? 0x80 : 0
    const end = offset + spaceBytes >= nal.length ? 0x40 : 0
    fragments.push(
      Buffer.concat([Buffer.from([...indicator, start | end | nalType]), nal.subarray(offset, offset + spaceBytes)]),
    )
  }
  return fragments
}
