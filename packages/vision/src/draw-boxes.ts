import sharp from 'sharp'
import { openPicture } from './picture.ts'

/** Box in fractions of the picture, from its top left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Largest longer side of a drawn picture, pixels: a phone shows it. */
const MAX_SIDE = 1920
/** Boxes beyond these are not drawn. */
export const BOXES = 50
const QUALITY = 85
/** Width of a line, as a fraction of the longer side. */
const LINE = 1 / 320

/**
 * The whole picture as a JPEG without metadata, with an outline around each box. The outline lies outside of its box,
 * so that it hides nothing of a small object.
 * @throws VigiaError `validacao` for an undecodable picture
 */
export async function drawBoxes(jpeg: Buffer, boxes: readonly Box[]): Promise<Buffer> {
  const picture = await openPicture(jpeg)
  const { width, height } = picture
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const pixels = await picture.cut({ left: 0, top: 0, width, height }, { ...size, format: 'rgb' })
  const svg = outlines(boxes.slice(0, BOXES), size)
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .composite([{ input: Buffer.from(svg), left: 0, top: 0 }])
    .jpeg({ quality: QUALITY })
    .toBuffer()
}

/** A light line on a dark one, which is visible on any picture. */
function outlines(
  boxes: readonly Box[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const line = Math.max(2, Math.round(Math.max(width, height) * LINE))
  const rects = boxes.map(({ x, y, w, h }) => {
    const [left, top] = [x * width - line, y * height - line]
    const at = `x="${left}" y="${top}" width="${w * width + 2 * line}" height="${h * height + 2 * line}" fill="none"`
    const rect = (colour: string, px: number) => `<rect ${at} stroke="${colour}" stroke-width="${px}"/>`
    return rect('#101418', 2 * line) + rect('#ff5c5c', line)
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rects.join('')}</svg>`
}
