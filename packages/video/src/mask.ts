import type { Zonas } from '@vigia/contracts/geometria'
import {
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV422P,
  AV_PIX_FMT_YUV444P,
  AV_PIX_FMT_YUVJ420P,
  AV_PIX_FMT_YUVJ422P,
  AV_PIX_FMT_YUVJ444P,
} from 'node-av/constants'
import { FFmpegError, type Frame } from 'node-av/lib'
import { type MaskSpans, maskSpans, outlinesOf } from './mask-spans.ts'
import { scaled } from './picture.ts'

/** Privacy masks of a camera, rasterised once for each size of picture. */
export interface Mask {
  /** A copy of `frame` with flat grey in place of the masked parts. The caller frees it. */
  cover(frame: Frame): Promise<Frame>
}

/** Value of luma and chroma: grey in limited and full range. */
const GREY = 128

/** Bits by which the chroma planes are smaller; formats with one byte for each sample. */
const subsampling = new Map<number, readonly [x: number, y: number] | null>([
  [AV_PIX_FMT_GRAY8, null],
  [AV_PIX_FMT_YUV420P, [1, 1]],
  [AV_PIX_FMT_YUVJ420P, [1, 1]],
  [AV_PIX_FMT_YUV422P, [1, 0]],
  [AV_PIX_FMT_YUVJ422P, [1, 0]],
  [AV_PIX_FMT_YUV444P, [0, 0]],
  [AV_PIX_FMT_YUVJ444P, [0, 0]],
])

/** @param lists polygons in the form of `zonas`; all empty: no mask (null) */
export function createMask(...lists: readonly Zonas[]): Mask | null {
  const outlines = lists.flatMap(outlinesOf)
  if (outlines.length === 0) return null
  let drawn: { readonly key: string; readonly planes: readonly MaskSpans[] } | null = null

  function planesOf({ width, height, format }: Frame): readonly MaskSpans[] {
    const key = `${width}x${height} ${format}`
    if (drawn?.key === key) return drawn.planes
    const shifts = subsampling.get(format)
    const spans = ([x, y]: readonly [number, number]) => {
      const [wide, high] = [width / (1 << x), height / (1 << y)]
      return maskSpans(outlines, { columns: Math.ceil(wide), rows: Math.ceil(high), width: wide, height: high })
    }
    const chroma = shifts ? spans(shifts) : null
    drawn = { key, planes: [spans([0, 0]), ...(chroma ? [chroma, chroma] : [])] }
    return drawn.planes
  }

  return {
    async cover(frame) {
      const own = await writableCopy(frame)
      const [data, rowBytes] = [own.data ?? [], own.linesize]
      for (const [plane, spans] of planesOf(own).entries()) fill(data[plane], rowBytes[plane] ?? 0, spans)
      return own
    },
  }
}

/** A copy of its own, because the decoder predicts later pictures from its frame. */
async function writableCopy(frame: Frame): Promise<Frame> {
  if (!subsampling.has(frame.format)) return await scaled(frame, 'yuv', frame.width, frame.height)
  const own = frame.clone()
  if (own === null) throw new Error('no memory for a frame')
  try {
    FFmpegError.throwIfError(own.makeWritable(), 'makeWritable')
    return own
  } catch (error) {
    own.free()
    throw error
  }
}

function fill(plane: Buffer | undefined, rowBytes: number, spans: MaskSpans): void {
  for (const [row, pairs] of spans.entries())
    for (let i = 0; i + 1 < pairs.length; i += 2)
      plane?.fill(GREY, row * rowBytes + (pairs[i] ?? 0), row * rowBytes + (pairs[i + 1] ?? 0))
}
