import { jpegSize } from '@vigia/link/jpeg-size'

/** Longest side of a frame of a live view, and of a picture of a mosaic, that a viewer can ask for. */
export const VIEW_PX = 1_280
export const TILE_PX = 640
/** An edge may round a size up to whole blocks. */
const ROUNDED_PX = 16
/** Largest picture: at this many bytes a pixel, and its tables. */
const BYTES_PER_PX = 2
const TABLE_BYTES = 16 * 1024

/** Whether bytes of an edge are a JPEG of at most this size. They go to a browser, and stay in memory. */
export function isLivePicture(jpeg: Buffer, longestPx: number): boolean {
  const size = jpegSize(jpeg)
  if (size === null || Math.max(size.width, size.height) > longestPx + ROUNDED_PX) return false
  return jpeg.length <= BYTES_PER_PX * size.width * size.height + TABLE_BYTES
}
