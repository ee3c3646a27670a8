import { writeFile } from 'node:fs/promises'
import { encodeVideo, type RgbPicture } from '@vigia/video/test-peer/encode-video'
import sharp from 'sharp'
import type { LabelledPlate } from '../eval/modo-b/plate-labels.ts'

const FPS = 10
const [WIDTH, HEIGHT] = [960, 540]
/** The back of a car in the frame, in pixels, and how wide its plate is there. */
const [CAR_WIDTH, CAR_HEIGHT] = [420, 380]
const PLATE_WIDTH = 100
/** Height of the plate above the lower edge of the car. */
const PLATE_ABOVE = 110

/** Writes a video of photographed cars that cross from left to right, one after the other, each for `seconds`. */
export async function writeRoadFootage(path: string, cars: readonly LabelledPlate[], seconds: number): Promise<void> {
  const street = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#9a9c9e' } })
    .raw()
    .toBuffer()
  async function* pictures(): AsyncGenerator<RgbPicture> {
    for (const label of cars) {
      const car = await backOf(label)
      for (let n = 0; n < seconds * FPS; n++) {
        const rgb = Buffer.from(street)
        paste(rgb, car, Math.round(-CAR_WIDTH + (n / (seconds * FPS)) * (WIDTH + CAR_WIDTH)))
        yield { width: WIDTH, height: HEIGHT, rgb }
      }
    }
  }
  await writeFile(path, await encodeVideo(pictures(), FPS))
}

/** The surroundings of the plate as RGB, in the size of a car. */
async function backOf({ path, x, y, w, h }: LabelledPlate): Promise<Buffer> {
  const scale = PLATE_WIDTH / w
  const [width, height] = [CAR_WIDTH / scale, CAR_HEIGHT / scale]
  const margin = Math.ceil(Math.max(width, height))
  const extended = await sharp(path)
    .rotate()
    .extend({ top: margin, bottom: margin, left: margin, right: margin, extendWith: 'copy' })
    .toBuffer()
  return sharp(extended)
    .extract({
      left: Math.round(margin + x + w / 2 - width / 2),
      top: Math.round(margin + y + h - (CAR_HEIGHT - PLATE_ABOVE) / scale),
      width: Math.round(width),
      height: Math.round(height),
    })
    .resize(CAR_WIDTH, CAR_HEIGHT)
    .removeAlpha()
    .raw()
    .toBuffer()
}

function paste(rgb: Buffer, car: Buffer, left: number): void {
  const from = Math.max(0, -left)
  const to = Math.min(CAR_WIDTH, WIDTH - left)
  const top = HEIGHT - CAR_HEIGHT - 20
  for (let row = 0; to > from && row < CAR_HEIGHT; row++)
    car.copy(rgb, 3 * ((top + row) * WIDTH + left + from), 3 * (row * CAR_WIDTH + from), 3 * (row * CAR_WIDTH + to))
}
