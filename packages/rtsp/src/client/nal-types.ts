export type Codec = 'h264' | 'h265'

/** Role of a NAL unit at the borders of an access unit and for its kind. */
export type NalKind =
  /** The first slice of a picture. */
  | 'first-slice'
  | 'slice'
  | 'parameter-set'
  /** Precedes a picture: access unit delimiter, SEI and similar units. */
  | 'prefix'
  /** Follows a picture or has no meaning for borders: filler, end of sequence, suffix SEI, unknown types. */
  | 'other'

export const nalHeaderBytes = (codec: Codec): number => (codec === 'h264' ? 1 : 2)

/** Returns the type of the NAL unit (or RTP payload structure) at `at`: H.264 7.3.1, H.265 7.3.1.2. */
export const nalType = (codec: Codec, bytes: Buffer, at: number): number =>
  codec === 'h264' ? (bytes[at] ?? 0) & 0x1f : ((bytes[at] ?? 0) >> 1) & 0x3f

/**
 * Returns the kind of a unit. The top bit of `firstByte`, the byte behind the header, marks the first slice of a
 * picture.
 */
export function nalKind(codec: Codec, type: number, firstByte: number): NalKind {
  // H.264: first_mb_in_slice is 0 (7.3.3). H.265: first_slice_segment_in_pic_flag (7.3.6.1).
  const slice = (firstByte & 0x80) !== 0 ? 'first-slice' : 'slice'
  if (codec === 'h264') {
    if (type === 1 || type === 2 || type === 5) return slice
    if (type === 7 || type === 8) return 'parameter-set'
    return type === 6 || type === 9 || (type >= 14 && type <= 18) ? 'prefix' : 'other'
  }
  if (type <= 9 || (type >= 16 && type <= 21)) return slice
  if (type >= 32 && type <= 34) return 'parameter-set'
  return type === 35 || type === 39 ? 'prefix' : 'other'
}

/** Whether decoding can begin at a picture with this unit: IDR (H.264), IRAP (H.265 7.4.2.2). */
export const isKeyType = (codec: Codec, type: number): boolean =>
  codec === 'h264' ? type === 5 : type >= 16 && type <= 23

const RECOVERY_POINT = 6

/** Whether an H.264 SEI unit contains a recovery point (D.1.8): encoders with open GOPs send no IDR. */
export function hasRecoveryPoint(bytes: Buffer, start: number, end: number): boolean {
  let at = start + 1
  while (at + 2 < end) {
    let type = 0
    while (at < end && bytes[at] === 0xff) {
      type += 255
      at++
    }
    type += bytes[at++] ?? 0
    let size = 0
    while (at < end && bytes[at] === 0xff) {
      size += 255
      at++
    }
    size += bytes[at++] ?? 0
    if (type === RECOVERY_POINT) return true
    at += size
  }
  return false
}
