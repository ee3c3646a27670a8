import type { Box } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/stream-reader'

/** The pictures of one frame. All objects and analyses share one JPEG of the whole frame. */
export interface FramePictures {
  readonly streamMs: number
  readonly width: number
  readonly height: number
  /** JPEG of the whole frame. */
  whole(): Promise<Buffer>
  /** JPEG of the box with its surroundings. */
  crop(box: Box): Promise<Buffer>
  /** Sharpness of the picture inside the box, from 0 (smeared) to almost 1. */
  sharpness(box: Box): Promise<number>
}

/** Surroundings in the crop on each side, as a fraction of the box. */
const MARGIN = 0.25
const WHOLE = { maxWidth: 1280, quality: 80 }
const CROP = { maxWidth: 800, quality: 88 }
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
    crop: (box) => frame.toJpeg({ ...CROP, crop: withMargin(box) }),
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

function withMargin({ x, y, w, h }: Box): Box {
  const left = Math.max(0, x - w * MARGIN)
  const top = Math.max(0, y - h * MARGIN)
  return {
    x: left,
    y: top,
    w: Math.min(1, x + w * (1 + MARGIN)) - left,
    h: Math.min(1, y + h * (1 + MARGIN)) - top,
  }
}
