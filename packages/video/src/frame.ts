import type { Frame } from 'node-av/lib'
import { jpeg, type PackedFormat, type PixelBox, packedPixels } from './picture.ts'

/** Part of a frame, in fractions of it, from its top left corner; parts outside the frame are cut off. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

export interface JpegOptions {
  readonly crop?: Crop
  /** Pixels. A wider picture is scaled down with its aspect ratio; a narrower one keeps its size. */
  readonly maxWidth?: number
  /** 1 (smallest) to 100 (best); default: 85. */
  readonly quality?: number
}

/**
 * A decoded picture. Valid only until the promise of the frame handler settles; after that its methods reject. `retain`
 * extends its life.
 */
export interface VideoFrame {
  /** Stream time: 0 for the first picture of a connection, then strictly increasing. */
  readonly timestampMs: number
  readonly width: number
  readonly height: number
  /**
   * The frame, or `crop`, stretched to `width` x `height`; packed rows, 1 byte (gray) or 3 bytes (rgb, bgr) a pixel,
   * 0…255.
   */
  toPacked(format: PackedFormat, width: number, height: number, crop?: Crop): Promise<Buffer>
  toJpeg(options?: JpegOptions): Promise<Buffer>
  /**
   * The same picture with its own life, until `release`; the pixels are referenced, not copied. The caller must release
   * it: the decoder's memory stays in use until then. Throws after the frame's own life.
   */
  retain(): HeldFrame
}

export interface HeldFrame {
  readonly frame: VideoFrame
  /** Ends the frame's life: later calls reject, and the memory is freed after pending calls. */
  release(): Promise<void>
}

const defaultQuality = 85
/** Minimum side that FFmpeg scales well, in pixels; a smaller crop is widened to it where the frame allows. */
const minCropPixels = 8

/** Converts fractions to whole pixels: covers the crop, at least a few pixels, within the frame. */
export function cropPixels(crop: Crop, width: number, height: number): PixelBox {
  const span = (from: number, size: number, limit: number): [number, number] => {
    if (!Number.isFinite(from) || !Number.isFinite(size)) throw new RangeError('crop must be finite')
    let start = Math.floor(Math.min(1, Math.max(0, from)) * limit)
    let end = Math.ceil(Math.min(1, Math.max(0, from + size)) * limit)
    const smallest = Math.min(minCropPixels, limit)
    if (end - start < smallest) {
      start = Math.min(Math.max(0, start - Math.floor((smallest - (end - start)) / 2)), limit - smallest)
      end = start + smallest
    }
    return [start, end - start]
  }
  const [x, boxWidth] = span(crop.x, crop.w, width)
  const [y, boxHeight] = span(crop.y, crop.h, height)
  return { x, y, width: boxWidth, height: boxHeight }
}

const maxSide = 16_384
const size = (value: number): number => {
  if (!Number.isInteger(value) || value < 1 || value > maxSide) throw new RangeError(`size out of range: ${value}`)
  return value
}

/** Wraps a decoded frame and takes ownership of it. */
export function createVideoFrame(frame: Frame, timestampMs: number): HeldFrame {
  const { width, height } = frame
  const pending = new Set<Promise<unknown>>()
  let released = false

  const alive = () => {
    if (released) throw new Error('the frame is used after its handler settled')
  }

  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    alive()
    const running = work()
    pending.add(running)
    try {
      return await running
    } finally {
      pending.delete(running)
    }
  }

  const boxOf = (crop: Crop | undefined) => (crop ? cropPixels(crop, width, height) : null)

  return {
    frame: {
      timestampMs,
      width,
      height,
      toPacked: (format, toWidth, toHeight, crop) =>
        use(() => packedPixels(frame, boxOf(crop), format, size(toWidth), size(toHeight))),
      toJpeg: (options = {}) =>
        use(() => {
          const box = boxOf(options.crop)
          const from = box ?? { width, height }
          const toWidth = Math.min(from.width, size(options.maxWidth ?? maxSide))
          const toHeight = Math.max(1, Math.round((from.height * toWidth) / from.width))
          return jpeg(frame, box, toWidth, toHeight, options.quality ?? defaultQuality)
        }),
      retain() {
        alive()
        const own = frame.clone()
        if (own === null) throw new Error('no memory for a frame')
        return createVideoFrame(own, timestampMs)
      },
    },
    async release() {
      if (released) return
      released = true
      await Promise.allSettled(pending)
      frame.free()
    },
  }
}
