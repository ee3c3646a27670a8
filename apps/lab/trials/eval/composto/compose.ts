import type { Box } from '@vigia/ias/geometry'
import { createVideoWriter, type VideoWriter } from '@vigia/video/testing/video-writer'
import type { Pixels } from '../stress/pixels.ts'
import { createSensorNoise } from '../weather/sensor-noise.ts'
import { type Clip, readPictures } from './clip.ts'
import { drawLuggage } from './luggage.ts'
import type { DetectedPeople, Plan } from './plan.ts'

/** Changes a picture in place; times in s of the clip. */
export type Change = (picture: Pixels, atS: number) => void

const FPS = 5
const BITS_PER_PIXEL = 0.25
/** A difference from the empty scene of this many levels, summed over the colours, is somebody in front. */
const IN_FRONT = 60
/** Noise of the written pictures, levels: the drawn object has grain like the rest. */
const NOISE = 2

/** The object of the plan, behind everything that moves in front of it. */
export function luggageChange(
  { kind, box, putAtS, loop, seed }: Plan,
  empty: Pixels,
  detected: readonly DetectedPeople[],
): Change {
  const left = Math.round(box.x * empty.width)
  const top = Math.round(box.y * empty.height)
  const sprite = drawLuggage(kind, Math.max(4, Math.round(box.h * empty.height)), lightAt(empty, box), seed)
  return (picture, atS) => {
    if (atS < putAtS) return
    const people = loop && atS > loop.toS ? [] : peopleAt(detected, atS)
    for (let y = 0; y < sprite.height; y++) {
      for (let x = 0; x < sprite.width; x++) {
        const opacity = sprite.opacity[y * sprite.width + x] ?? 0
        const [px, py] = [left + x, top + y]
        if (opacity === 0 || px < 0 || px >= picture.width || py < 0 || py >= picture.height) continue
        const at = (py * picture.width + px) * 3
        if (isIn(people, px / picture.width, py / picture.height) && apart(picture.rgb, empty.rgb, at) > IN_FRONT)
          continue
        for (let c = 0; c < 3; c++)
          picture.rgb[at + c] =
            (picture.rgb[at + c] ?? 0) * (1 - opacity) + (sprite.rgb[(y * sprite.width + x) * 3 + c] ?? 0) * opacity
      }
    }
  }
}

/** The people of the nearest analysed picture, with a margin for their motion. */
const peopleAt = (detected: readonly DetectedPeople[], atS: number): Box[] =>
  (detected.find((one) => one.atS >= atS - 0.11)?.people ?? []).map(({ x, y, w, h }) => ({
    x: x - 0.1 * w,
    y: y - 0.05 * h,
    w: 1.2 * w,
    h: 1.1 * h,
  }))
const isIn = (boxes: readonly Box[], px: number, py: number): boolean =>
  boxes.some(({ x, y, w, h }) => px >= x && px <= x + w && py >= y && py <= y + h)

const apart = (a: Buffer, b: Buffer, at: number): number =>
  Math.abs((a[at] ?? 0) - (b[at] ?? 0)) +
  Math.abs((a[at + 1] ?? 0) - (b[at + 1] ?? 0)) +
  Math.abs((a[at + 2] ?? 0) - (b[at + 2] ?? 0))

/** Light of the scene at a box: 1 where the floor is of middle grey. */
function lightAt({ rgb, width, height }: Pixels, { x, y, w, h }: Box): number {
  let [sum, count] = [0, 0]
  for (let py = Math.max(0, Math.floor(y * height)); py < Math.min(height, (y + h) * height); py++)
    for (let px = Math.max(0, Math.floor(x * width)); px < Math.min(width, (x + w) * width); px++) {
      sum += rgb[(py * width + px) * 3 + 1] ?? 0
      count++
    }
  return Math.max(0.4, Math.min(1.5, sum / Math.max(1, count) / 120))
}

/** A camera has run for a while: the scene without people comes first for this time. */
export const EMPTY_S = 6

/** Writes EMPTY_S of the empty scene, then a part of the clip with the change, encoded anew, to `path`. */
export async function writeComposed(
  clip: Clip,
  empty: Pixels,
  { fromS, untilS, loop, seed }: Pick<Plan, 'fromS' | 'untilS' | 'loop' | 'seed'>,
  change: Change,
  path: string,
): Promise<void> {
  const noise = createSensorNoise({ read: NOISE, shot: 0, colour: 0 }, seed)
  const state: { writer: VideoWriter | null } = { writer: null }
  const repeated: Buffer[] = []
  const size = { width: 0, height: 0 }
  const write = async (picture: Pixels, atS: number) => {
    const { width, height } = picture
    state.writer ??= await createVideoWriter({
      path,
      width,
      height,
      fps: FPS,
      bitRate: BITS_PER_PIXEL * width * height * FPS,
    })
    change(picture, atS)
    noise(picture, atS)
    await state.writer.write(picture.rgb, Math.round((atS - fromS + EMPTY_S) * 1000))
  }
  for (let step = 0; step < EMPTY_S * FPS; step++)
    await write({ ...empty, rgb: Buffer.from(empty.rgb) }, fromS - EMPTY_S + step / FPS)
  await readPictures(clip, FPS, fromS, Math.min(untilS, loop?.toS ?? untilS), async (picture, atS) => {
    Object.assign(size, { width: picture.width, height: picture.height })
    if (loop && atS >= loop.fromS) repeated.push(Buffer.from(picture.rgb))
    await write(picture, atS)
  })
  const round = 2 * repeated.length - 2
  const steps = loop && round > 0 ? Math.floor((untilS - loop.toS) * FPS) : 0
  for (let step = 1; step <= steps; step++) {
    const at = (repeated.length - 1 + step) % round
    const rgb = repeated[at < repeated.length ? at : round - at]
    if (loop && rgb) await write({ rgb: Buffer.from(rgb), ...size }, loop.toS + step / FPS)
  }
  await state.writer?.close()
}
