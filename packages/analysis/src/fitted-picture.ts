import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { LoadedModel } from '@vigia/vision/model-runner'

export interface FittedPicture {
  /** Input of the model: `input.width` x `input.height`, packed rows. */
  readonly packed: Buffer
  /** Converts a box of the packed picture to fractions of the frame; null: the box is in the padding. */
  toFrame(found: Detection): Detection | null
}

/** Neutral grey: about the mean of natural pictures, and the usual padding in training. */
const PADDING = 114

/**
 * Largest change of the aspect ratio to use more of the model's picture: 16:9 to 4:3. Measured
 * (packages/vision/README.md): 16:9 squeezed to 4:3 enlarges small people and finds more of them than grey bars.
 * Squeezed to a square, people become too thin for the network.
 */
const MAX_SQUEEZE = 4 / 3 + 0.01

/**
 * Fits a frame, or `region` of it (fractions), into the model's picture: squeezed up to MAX_SQUEEZE, padded with grey.
 */
export async function fitPicture(
  frame: VideoFrame,
  region: Box | null,
  input: LoadedModel['input'],
): Promise<FittedPicture> {
  const part = region ?? WHOLE
  const wanted = input.width / input.height
  const shape = (frame.width * part.w) / (frame.height * part.h)
  const aspect = Math.min(Math.max(wanted, shape / MAX_SQUEEZE), shape * MAX_SQUEEZE)
  const width = Math.max(1, Math.round(Math.min(input.width, input.height * aspect)))
  const height = Math.max(1, Math.round(Math.min(input.height, input.width / aspect)))
  const left = Math.floor((input.width - width) / 2)
  const top = Math.floor((input.height - height) / 2)
  const pixels = await frame.toPacked(input.format, width, height, region ?? undefined)
  const toX = (x: number) => part.x + part.w * clamp((x * input.width - left) / width)
  const toY = (y: number) => part.y + part.h * clamp((y * input.height - top) / height)
  return {
    packed: width === input.width && height === input.height ? pixels : padded(),
    toFrame(found) {
      const [x, y] = [toX(found.x), toY(found.y)]
      const [w, h] = [toX(found.x + found.w) - x, toY(found.y + found.h) - y]
      return w > 0 && h > 0 ? { ...found, x, y, w, h } : null
    },
  }

  function padded(): Buffer {
    const packed = Buffer.alloc(input.width * input.height * 3, PADDING)
    for (let row = 0; row < height; row++) {
      pixels.copy(packed, ((top + row) * input.width + left) * 3, row * width * 3, (row + 1) * width * 3)
    }
    return packed
  }
}

const WHOLE: Box = { x: 0, y: 0, w: 1, h: 1 }
const clamp = (value: number): number => Math.min(1, Math.max(0, value))
