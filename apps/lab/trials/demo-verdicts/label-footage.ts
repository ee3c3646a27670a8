import { type Box, iou } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/frame'
import { createStreamReader } from '@vigia/video/stream-reader'
import { createDetector, type Detector } from '@vigia/vision/detector'
import { chooseModel } from '@vigia/vision/registry'

/** Labels of one frame of the footage. */
export interface LabelledFrame {
  /** Grey picture of THUMBNAIL, to find the frame of an event. */
  readonly thumbnail: Uint8Array
  /** People whom both models see well, in fractions of the frame. */
  readonly people: readonly Box[]
}

const THUMBNAIL = { width: 96, height: 72 } as const
/** Frames labelled per second of footage. */
const LABELLED_FPS = 5
/** Lowest confidence of the first model on the whole frame, and of the second on an enlarged region. */
const FIRST_MIN = 0.5
const SECOND_MIN = 0.7
/** Side of the enlarged region, as a multiple of the longer side of the box. */
const REGION = 2
const SAME_IOU = 0.4

export const thumbnailOf = (frame: VideoFrame): Promise<Buffer> =>
  frame.toPacked('gray', THUMBNAIL.width, THUMBNAIL.height)

/**
 * Labels the plainly visible people of one file: both models of the product see them, the second one enlarged. Uses the
 * main stream, which has twice the resolution of the analysed one.
 */
export async function labelFootage(url: string, onProgress: (atMs: number) => void): Promise<LabelledFrame[]> {
  const [first, second] = await Promise.all([
    createDetector(await chooseModel('objetos', null)),
    createDetector(await chooseModel('objetos', null, 'confirmacao')),
  ])
  const labelled: LabelledFrame[] = []
  try {
    await createStreamReader({ url, maxFps: LABELLED_FPS }).run(
      {
        onInfo: () => {},
        async onFrame(frame) {
          onProgress(frame.timestampMs)
          const candidates = await people(frame, first, FIRST_MIN, { x: 0, y: 0, w: 1, h: 1 })
          const seen: Box[] = []
          for (const box of candidates) if (await confirms(frame, second, box)) seen.push(box)
          labelled.push({ thumbnail: await thumbnailOf(frame), people: seen })
        },
      },
      new AbortController().signal,
    )
  } finally {
    await Promise.all([first.close(), second.close()])
  }
  return labelled
}

async function confirms(frame: VideoFrame, second: Detector, box: Box): Promise<boolean> {
  const w = (REGION * Math.max(box.w * frame.width, box.h * frame.height)) / frame.width
  const h = (w * frame.width) / frame.height
  const left = Math.min(Math.max(0, box.x + box.w / 2 - w / 2), 1 - Math.min(1, w))
  const top = Math.min(Math.max(0, box.y + box.h / 2 - h / 2), 1 - Math.min(1, h))
  const region = { x: left, y: top, w: Math.min(1, w), h: Math.min(1, h) }
  return (await people(frame, second, SECOND_MIN, region)).some((found) => iou(found, box) >= SAME_IOU)
}

/** People in `region`, in fractions of the frame. */
async function people(frame: VideoFrame, detector: Detector, minConfidence: number, region: Box): Promise<Box[]> {
  const { width, height, format } = detector.input
  const packed = await frame.toPacked(format, width, height, region)
  const found = await detector.detect(packed, { minConfidence, labels: ['person'] })
  return found.map(({ x, y, w, h }) => ({
    x: region.x + x * region.w,
    y: region.y + y * region.h,
    w: w * region.w,
    h: h * region.h,
  }))
}

/** The labelled frame most similar to this thumbnail, by the mean absolute difference. */
export function nearestFrame(frames: readonly LabelledFrame[], thumbnail: Uint8Array): LabelledFrame | null {
  let best: LabelledFrame | null = null
  let least = Number.POSITIVE_INFINITY
  for (const frame of frames) {
    const difference = frame.thumbnail.reduce((sum, value, at) => sum + Math.abs(value - (thumbnail[at] ?? 0)), 0)
    if (difference < least) [best, least] = [frame, difference]
  }
  return best
}
