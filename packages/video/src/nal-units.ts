/**
 * NAL units in containers: length-prefixed with an avcC or hvcC record (ISO/IEC 14496-15: MP4, Matroska), or with start
 * codes (Annex B). All functions return views into their input and never read past it.
 */

export interface NalFormat {
  /** SPS, PPS (H.264) or VPS, SPS, PPS (H.265). */
  readonly parameterSets: Buffer[]
  /** The NAL units of one packet; null for inconsistent lengths. */
  readonly split: (packet: Buffer) => Buffer[] | null
}

/** Annex B without parameter sets outside the packets. */
export const startCodeFormat: NalFormat = { parameterSets: [], split: (packet) => splitStartCodes(packet) }

/** nal_unit_type (H.264 7.3.1, H.265 7.3.1.2). */
export const nalType = (codec: 'h264' | 'h265', nal: Buffer): number =>
  codec === 'h264' ? (nal[0] ?? 0) & 0x1f : ((nal[0] ?? 0) >> 1) & 0x3f

/** Whether a unit is a slice of a picture that is no keyframe. Its header has no forbidden value. */
export function isOtherPicture(codec: 'h264' | 'h265', nal: Buffer): boolean {
  const [first = 0, second = 0] = nal
  if ((first & 0x80) !== 0) return false
  const type = nalType(codec, nal)
  if (codec === 'h264') return type === 1
  // nuh_layer_id is 0, nuh_temporal_id_plus1 is not (H.265 7.4.2.2).
  return type <= 9 && (first & 1) === 0 && second >> 3 === 0 && (second & 7) !== 0
}

const isParameterSet = (codec: 'h264' | 'h265', nal: Buffer): boolean => {
  const type = nalType(codec, nal)
  return codec === 'h264' ? type === 7 || type === 8 : type >= 32 && type <= 34
}

/**
 * The parameter sets in force after an access unit: its sets replace those of the same type. Returns `held` itself when
 * nothing changed, otherwise copies.
 */
export function parameterSetsAfter(
  codec: 'h264' | 'h265',
  held: readonly Buffer[],
  nals: readonly Buffer[],
): readonly Buffer[] {
  const found: Buffer[] = []
  for (const nal of nals) {
    if (isParameterSet(codec, nal) && !found.some((known) => known.equals(nal))) found.push(nal)
  }
  if (found.length === 0) return held
  const kinds = new Set(found.map((nal) => nalType(codec, nal)))
  const next = [...held.filter((nal) => !kinds.has(nalType(codec, nal))), ...found]
  next.sort((a, b) => nalType(codec, a) - nalType(codec, b))
  const same = next.length === held.length && next.every((nal, i) => held[i]?.equals(nal))
  return same ? held : next.map(ownCopy)
}

/** `Buffer.from` would slice a pool of 8 KiB, and the slice would keep the pool in memory. */
export function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Reads the codec's extra data; null for an unknown form. */
export function nalFormat(codec: 'h264' | 'h265', extradata: Buffer): NalFormat | null {
  if (extradata[0] !== 1) {
    const parameterSets = splitStartCodes(extradata)
    return parameterSets.length > 0 ? { parameterSets, split: splitStartCodes } : null
  }
  const parameterSets = codec === 'h264' ? avcSets(extradata) : hevcSets(extradata)
  const lengthSize = ((extradata[codec === 'h264' ? 4 : 21] ?? 0) & 3) + 1
  if (!parameterSets || parameterSets.length === 0) return null
  return { parameterSets, split: (packet) => splitLengths(packet, lengthSize) }
}

/** AVCDecoderConfigurationRecord, 5.3.3.1: five fixed bytes, then the counted SPS, then the counted PPS. */
function avcSets(record: Buffer): Buffer[] | null {
  const sps = countedSets(record, 6, (record[5] ?? 0) & 0x1f)
  const count = sps && record[sps.end]
  if (!sps || typeof count !== 'number') return null
  const pps = countedSets(record, sps.end + 1, count)
  return pps && [...sps.sets, ...pps.sets]
}

/** HEVCDecoderConfigurationRecord, 8.3.3.1: 22 fixed bytes, then arrays of one NAL type each. */
function hevcSets(record: Buffer): Buffer[] | null {
  const found: Buffer[] = []
  let offset = 23
  for (let array = record[22] ?? 0; array > 0; array--) {
    if (offset + 3 > record.length) return null
    const type = (record[offset] ?? 0) & 0x3f
    const group = countedSets(record, offset + 3, record.readUInt16BE(offset + 1))
    if (!group) return null
    // 32, 33, 34: VPS, SPS, PPS. Encoders also write an SEI with their name here.
    if (type >= 32 && type <= 34) found.push(...group.sets)
    offset = group.end
  }
  return found
}

function countedSets(record: Buffer, start: number, count: number): { sets: Buffer[]; end: number } | null {
  const sets: Buffer[] = []
  let offset = start
  for (let i = 0; i < count; i++) {
    if (offset + 2 > record.length) return null
    const end = offset + 2 + record.readUInt16BE(offset)
    if (end > record.length) return null
    sets.push(record.subarray(offset + 2, end))
    offset = end
  }
  return { sets, end: offset }
}

function splitLengths(packet: Buffer, lengthSize: number): Buffer[] | null {
  const nals: Buffer[] = []
  let offset = 0
  while (offset < packet.length) {
    if (offset + lengthSize > packet.length) return null
    const start = offset + lengthSize
    const end = start + packet.readUIntBE(offset, lengthSize)
    if (end > packet.length) return null
    if (end > start) nals.push(packet.subarray(start, end))
    offset = end
  }
  return nals
}

const startCode = Buffer.from([0, 0, 1])

function splitStartCodes(bytes: Buffer): Buffer[] {
  const nals: Buffer[] = []
  let at = bytes.indexOf(startCode)
  while (at >= 0) {
    const next = bytes.indexOf(startCode, at + 3)
    let end = next < 0 ? bytes.length : next
    // Start codes may have four bytes, and zeros may follow: a NAL unit never ends in zero.
    while (end > at + 3 && bytes[end - 1] === 0) end--
    if (end > at + 3) nals.push(bytes.subarray(at + 3, end))
    at = next
  }
  return nals
}
