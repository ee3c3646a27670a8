const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
/** Largest side in pixels: above the picture of any camera, and small enough to bound the memory of a decoder. */
const MAX_SIDE = 16_384

/**
 * Largest file of a picture: far above the output of an encoder, so that a file cannot carry other data. The constant
 * part holds the tables of a small picture.
 */
export const PICTURE_BYTES = 16 * 1024
/** See `PICTURE_BYTES`. */
export const BYTES_PER_PIXEL = 2

/** Whether a JPEG file has at most 2 bytes for each pixel and 16 kB. */
export const fitsItsPixels = (bytes: Buffer, { width, height }: { readonly width: number; readonly height: number }) =>
  bytes.length <= PICTURE_BYTES + BYTES_PER_PIXEL * width * height

const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/**
 * Size in pixels of a JPEG file; null for other bytes. Reads the marker segments of ITU-T T.81 annex B from SOI through
 * one frame header to SOS. EOI must be last: a truncated file, or bytes after the picture, give null. The entropy-coded
 * data is not checked.
 */
export function jpegSize(bytes: Buffer): { width: number; height: number } | null {
  const length = bytes.length
  if (length < 4 || bytes[0] !== 0xff || bytes[1] !== SOI) return null
  if (bytes[length - 2] !== 0xff || bytes[length - 1] !== EOI) return null
  let size: { width: number; height: number } | null = null
  let at = 2
  while (at + 4 <= length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1 // fill byte (B.1.1.2)
      continue
    }
    const segment = bytes.readUInt16BE(at + 2)
    if (segment < 2 || at + 2 + segment > length) return null
    if (marker === SOS) return size
    if (isStartOfFrame(marker)) {
      if (size !== null || segment < 8) return null
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
      if (size.width < 1 || size.height < 1 || size.width > MAX_SIDE || size.height > MAX_SIDE) return null
    }
    at += 2 + segment
  }
  return null
}
