import { writeFile } from 'node:fs/promises'
import { encodeVideo, type RgbPicture } from '@vigia/video/test-peer/encode-video'
import sharp from 'sharp'
import { drawPlate } from './draw-plate.ts'

const FPS = 10
const [WIDTH, HEIGHT] = [640, 480]
/** The back of a car in the frame, in pixels. */
const [CAR_WIDTH, CAR_HEIGHT] = [320, 240]
const TOP = 200
const SECONDS = { empty: 3, drive: 3, wait: 4 } as const

/**
 * Writes a video of a gate. A car with the first plate enters on the left, waits in the middle and leaves on the
 * right. A car with the second plate passes without a stop.
 * @returns both plates
 */
export async function writePlatesFootage(path: string): Promise<readonly [string, string]> {
  const [first, second] = [await drawPlate('mercosul', 10_001), await drawPlate('antiga', 10_003)]
  const street = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#6b6d70' } })
    .raw()
    .toBuffer()
  const carOf = (jpeg: Buffer) => sharp(jpeg).resize(CAR_WIDTH, CAR_HEIGHT).removeAlpha().raw().toBuffer()
  const [one, two] = [await carOf(first.jpeg), await carOf(second.jpeg)]
  const middle = (WIDTH - CAR_WIDTH) / 2

  async function* pictures(): AsyncGenerator<RgbPicture> {
    yield* shown(street, SECONDS.empty, null)
    yield* shown(street, SECONDS.drive, (share) => ({ car: one, left: -CAR_WIDTH + share * (middle + CAR_WIDTH) }))
    yield* shown(street, SECONDS.wait, () => ({ car: one, left: middle }))
    yield* shown(street, SECONDS.drive, (share) => ({ car: one, left: middle + share * (WIDTH - middle) }))
    yield* shown(street, SECONDS.empty, null)
    yield* shown(street, 2 * SECONDS.drive, (share) => ({ car: two, left: -CAR_WIDTH + share * (WIDTH + CAR_WIDTH) }))
  }
  await writeFile(path, await encodeVideo(pictures(), FPS))
  return [first.placa, second.placa]
}

async function* shown(
  street: Buffer,
  seconds: number,
  at: ((share: number) => { readonly car: Buffer; readonly left: number }) | null,
): AsyncGenerator<RgbPicture> {
  for (let n = 0; n < seconds * FPS; n++) {
    const rgb = Buffer.from(street)
    const placed = at?.(n / (seconds * FPS))
    if (placed) paste(rgb, placed.car, Math.round(placed.left))
    yield { width: WIDTH, height: HEIGHT, rgb }
  }
}

function paste(rgb: Buffer, car: Buffer, left: number): void {
  const from = Math.max(0, -left)
  const to = Math.min(CAR_WIDTH, WIDTH - left)
  for (let row = 0; to > from && row < CAR_HEIGHT; row++)
    car.copy(rgb, 3 * ((TOP + row) * WIDTH + left + from), 3 * (row * CAR_WIDTH + from), 3 * (row * CAR_WIDTH + to))
}
