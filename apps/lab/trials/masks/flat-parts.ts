import { createStreamReader } from '@vigia/video/stream-reader'
import sharp from 'sharp'

/** Bands of the frame that the masks cover, as fractions of its height. People walk between them. */
const BANDS = [
  [0, 0.36],
  [0.85, 1],
] as const

/** In the form of `zonas`. */
export const MASKS = BANDS.map(([top, bottom]) => [0, top, 1, top, 1, bottom, 0, bottom])

/** Largest difference of gray values that encoding adds to a flat part. */
const FLAT = 12
/** Left out beside the border of a mask: blocks of a codec there show both sides. */
const BORDER = 0.04
/** Size at which pictures are compared. */
const SIZE = { width: 64, height: 128 }

/** Whether the picture shows something, and nothing of it behind the masks. */
interface Judged {
  readonly pictures: number
  readonly isFlat: boolean
}

const spread = (pixels: Buffer): number => Math.max(...pixels) - Math.min(...pixels)
const rows = (pixels: Buffer, from: number, to: number): Buffer =>
  pixels.subarray(Math.round(from * SIZE.height) * SIZE.width, Math.round(to * SIZE.height) * SIZE.width)

function hasFlatBands(pixels: Buffer): boolean {
  const masked = BANDS.every(([top, bottom]) => spread(rows(pixels, top + BORDER, bottom - BORDER)) <= FLAT)
  return masked && spread(pixels) > 10 * FLAT
}

const grayOf = (jpeg: Buffer): Promise<Buffer> =>
  sharp(jpeg, { failOn: 'warning' })
    .grayscale()
    .resize({ ...SIZE, fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer()

/** @param jpeg whole frames side by side */
export async function judgeFrame(jpeg: Buffer): Promise<Judged> {
  return { pictures: 1, isFlat: hasFlatBands(await grayOf(jpeg)) }
}

/** A crop is higher than the part between the masks: its first or last rows are flat. */
export async function judgeCrop(jpeg: Buffer): Promise<Judged> {
  const pixels = await grayOf(jpeg)
  const isFlat = [rows(pixels, 0, 0.03), rows(pixels, 0.97, 1)].some((edge) => spread(edge) <= FLAT)
  return { pictures: 1, isFlat: isFlat && spread(pixels) > FLAT }
}

/** Each picture of a video file. */
export async function judgeVideo(path: string): Promise<Judged> {
  let pictures = 0
  let isFlat = true
  const end = await createStreamReader({ url: path }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        pictures += 1
        isFlat &&= hasFlatBands(await frame.toPacked('gray', SIZE.width, SIZE.height))
      },
    },
    AbortSignal.timeout(60_000),
  )
  if (end !== 'end') throw new Error(`${path} does not decode`)
  return { pictures, isFlat: isFlat && pictures > 0 }
}
