import { CROP_WIDTH, FRAME_WIDTH, forPeople, withSurroundings } from '@vigia/ias/crop-part'
import type { Box } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/stream-reader'

/** The pictures of one frame. All objects and analyses share one JPEG of the whole frame. */
export interface FramePictures {
  readonly streamMs: number
  readonly width: number
  readonly height: number
  /** JPEG of the whole frame. */
  whole(): Promise<Buffer>
  /** JPEG of the box with its surroundings, for people: at least PEOPLE_PX high where the frame allows. */
  crop(box: Box): Promise<Buffer>
  /** Small JPEG of a square around the box, for a second model. `box`: the part of the frame that it shows. */
  square(box: Box, sidePx?: number): Promise<{ readonly jpeg: Buffer; readonly box: Box }>
  /** Sharpness of the picture inside the box, from 0 (smeared) to almost 1. */
  sharpness(box: Box): Promise<number>
}

const WHOLE = { maxWidth: FRAME_WIDTH, quality: 80 }
const CROP = { maxWidth: CROP_WIDTH, quality: 88 }
/** Side of the square, as a multiple of the box's longer side, and its largest size in pixels (about 10 kB). */
const SQUARE = { factor: 3, sidePx: 300, quality: 80 }
/**
 * Size at which sharpness is measured, in pixels. An enlarged distant object counts as less sharp, which is intended.
 */
const JUDGED = 64
/**
 * Standard deviation of the second derivative of a picture of sharpness 0.5, in levels of brightness: about that of a
 * plain coat.
 */
const HALF_SHARP = 8

export function createFramePictures(frame: VideoFrame, streamMs: number): FramePictures {
  let whole: Promise<Buffer> | null = null
  return {
    streamMs,
    width: frame.width,
    height: frame.height,
    whole: () => {
      whole ??= frame.toJpeg(WHOLE)
      return whole
    },
    crop: (box) => frame.toJpeg({ ...CROP, crop: forPeople(withSurroundings(box), frame.height) }),
    async square(box, sidePx = SQUARE.sidePx) {
      const part = squareAround(box, frame)
      const [width, height] = [part.w * frame.width, part.h * frame.height]
      const maxWidth = Math.max(1, Math.round(sidePx * Math.min(1, width / height)))
      return { jpeg: await frame.toJpeg({ crop: part, maxWidth, quality: SQUARE.quality }), box: part }
    },
    async sharpness(box) {
      const deviation = laplacianDeviation(await frame.toPacked('gray', JUDGED, JUDGED, box), JUDGED, JUDGED)
      return deviation / (deviation + HALF_SHARP)
    },
  }
}

/** Standard deviation of the Laplacian, which is low for defocus and motion blur (Pech-Pacheco et al., ICPR 2000). */
export function laplacianDeviation(gray: Uint8Array, width: number, height: number): number {
  const at = (index: number) => gray[index] ?? 0
  let sum = 0
  let squares = 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const index = y * width + x
      const value = at(index - 1) + at(index + 1) + at(index - width) + at(index + width) - 4 * at(index)
      sum += value
      squares += value * value
    }
  }
  const count = Math.max(1, (width - 2) * (height - 2))
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
}

/** The part of a square around the box that lies in the frame. */
function squareAround({ x, y, w, h }: Box, frame: { readonly width: number; readonly height: number }): Box {
  const sidePx = SQUARE.factor * Math.max(w * frame.width, h * frame.height)
  const span = (middle: number, length: number): [number, number] => {
    const from = Math.max(0, middle - length / 2)
    return [from, Math.max(1e-3, Math.min(1, middle + length / 2) - from)]
  }
  const [left, width] = span(x + w / 2, sidePx / frame.width)
  const [top, height] = span(y + h / 2, sidePx / frame.height)
  return { x: left, y: top, w: width, h: height }
}
