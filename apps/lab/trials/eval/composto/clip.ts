import type { Box } from '@vigia/ias/geometry'
import { median } from '@vigia/testing/stats'
import { createStreamReader, type VideoFrame } from '@vigia/video/stream-reader'
import type { Pixels } from '../stress/pixels.ts'

export interface Clip {
  readonly path: string
  readonly name: string
  /** Only this much of it is read, in s. */
  readonly untilS: number
}

/** Reads the frames of the clip. */
export async function readFrames(
  clip: Clip,
  fps: number,
  onFrame: (frame: VideoFrame, streamMs: number, stop: () => void) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  await createStreamReader({ url: clip.path, maxFps: fps }).run(
    {
      onInfo: () => {},
      onFrame: async (frame) =>
        frame.timestampMs / 1000 > clip.untilS ? stop.abort() : onFrame(frame, frame.timestampMs, () => stop.abort()),
    },
    stop.signal,
  )
}

/** Reads the pictures of a part of the clip, with even sides. `onPicture` may keep the buffer. */
export async function readPictures(
  clip: Clip,
  fps: number,
  from: number,
  until: number,
  onPicture: (picture: Pixels, atS: number) => Promise<void> | void,
): Promise<void> {
  await readFrames(clip, fps, async (frame, streamMs, stop) => {
    const atS = streamMs / 1000
    if (atS > until) return stop()
    if (atS < from) return
    const [width, height] = [frame.width - (frame.width % 2), frame.height - (frame.height % 2)]
    await onPicture({ rgb: await frame.toPacked('rgb', width, height), width, height }, atS)
  })
}

/** Maximum number of pictures from which the empty scene is estimated. */
const SAMPLES = 21

/** The scene without people: the median of pictures over the whole clip, of each pixel where no person was found. */
export async function emptyScene(clip: Clip, peopleAt: (atS: number) => readonly Box[]): Promise<Pixels> {
  const all: { picture: Pixels; people: readonly Box[] }[] = []
  await readPictures(clip, 1, 0, clip.untilS, (picture, atS) => void all.push({ picture, people: peopleAt(atS) }))
  // Pictures with few people first.
  const covered = (people: readonly Box[]) => people.reduce((sum, { w, h }) => sum + w * h, 0)
  const some = all.toSorted((a, b) => covered(a.people) - covered(b.people)).slice(0, SAMPLES)
  const [first] = some
  if (!first) throw new Error(`${clip.path} has no pictures`)
  const { width, height } = first.picture
  const rgb = Buffer.alloc(width * height * 3)
  const masks = some.map(({ people }) => maskOf(people, width, height))
  for (let at = 0; at < rgb.length; at++) {
    const free = some.filter((_, index) => !masks[index]?.[Math.floor(at / 3)])
    rgb[at] = median((free.length > 0 ? free : some).map(({ picture }) => picture.rgb[at] ?? 0))
  }
  return { rgb, width, height }
}

function maskOf(people: readonly Box[], width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height)
  for (const { x, y, w, h } of people) {
    const [left, right] = [Math.max(0, x - 0.1 * w) * width, Math.min(1, x + 1.1 * w) * width]
    for (let row = Math.max(0, Math.floor((y - 0.05 * h) * height)); row < Math.min(1, y + 1.05 * h) * height; row++)
      mask.fill(1, row * width + Math.floor(left), row * width + Math.ceil(right))
  }
  return mask
}
