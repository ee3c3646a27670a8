import type { Point, RgbPicture } from '@vigia/analysis/plates/picture'
import { randomOf } from '@vigia/analysis/testing/draw-plate'
import sharp from 'sharp'
import type { LabelledPlate } from './plate-labels.ts'

/** Conditions of a passage. */
export const conditions = ['dia', 'chuva', 'noite', 'reflexo'] as const
export type Condition = (typeof conditions)[number]

export interface MovingFrame {
  readonly jpeg: Buffer
  /** Centre of the labelled plate, in pixels of the frame. */
  readonly plate: Point
}

/** Frames of a camera that a car approaches, at 5 frames a second. */
const FRAMES = 10
const [WIDTH, HEIGHT] = [640, 360]
/** Width of the plate in the first and in the last frame, in pixels. */
const [FIRST_PX, LAST_PX] = [55, 130]
/** JPEG quality with about the blocks of H.264 at 300 kbit/s. */
const QUALITY = 38

/**
 * A passage made from a photograph. The car comes nearer, sways and turns a little, seen at an angle, with motion blur,
 * weather and strong compression. The same seed yields the same frames.
 */
export async function* movingPlate(
  label: LabelledPlate,
  condition: Condition,
  seed: number,
): AsyncGenerator<MovingFrame> {
  const random = randomOf(seed)
  const turn = (random() - 0.5) * 0.2
  const keystone = { x: (random() - 0.5) * 0.5, y: random() * 0.5 }
  const [driftX, driftY] = [(random() - 0.5) * 240, (random() - 0.5) * 100]
  for (let frame = 0; frame < FRAMES; frame++) {
    const share = frame / (FRAMES - 1)
    const scale = (FIRST_PX + (LAST_PX - FIRST_PX) * share) / label.w
    const { width = 1 } = await sharp(label.path).metadata()
    const near = await sharp(label.path)
      .resize(Math.max(1, Math.round(width * scale)))
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const photo = { width: near.info.width, height: near.info.height, data: near.data }
    const plate = { x: (label.x + label.w / 2) * scale, y: (label.y + label.h / 2) * scale }
    const offset = { x: driftX * (0.5 - share), y: driftY * (0.5 - share) }
    const seen = project(photo, plate, { offset, turn: turn * (0.6 + 0.4 * share), keystone })
    const blurred = motionBlur(seen.pixels, 1 + Math.floor(random() * 4))
    weather(blurred, condition, random)
    const jpeg = await sharp(blurred, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .blur(0.5 + random() * 0.5)
      .jpeg({ quality: QUALITY })
      .toBuffer()
    yield { jpeg, plate: seen.plate }
  }
}

interface Pose {
  readonly offset: Point
  /** Radians. */
  readonly turn: number
  /** Change of the scale from the middle to the border, along each axis. */
  readonly keystone: Point
}

/** Sees the photograph turned and at an angle, with `plate` at `offset` from the middle of the frame. */
function project(photo: RgbPicture, plate: Point, { offset, turn, keystone }: Pose) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  let nearest = { distance: Number.POSITIVE_INFINITY, x: 0, y: 0 }
  for (let row = 0, to = 0; row < HEIGHT; row++)
    for (let column = 0; column < WIDTH; column++, to += 3) {
      const [x, y] = [column - WIDTH / 2, row - HEIGHT / 2]
      const depth = 1 + (keystone.x * x) / WIDTH + (keystone.y * y) / HEIGHT
      const [u, v] = [x / depth - offset.x, y / depth - offset.y]
      const [atX, atY] = [plate.x + u * cos - v * sin, plate.y + u * sin + v * cos]
      const distance = Math.hypot(atX - plate.x, atY - plate.y)
      if (distance < nearest.distance) nearest = { distance, x: column, y: row }
      sampleInto(photo, atX, atY, pixels, to)
    }
  return { pixels, plate: { x: nearest.x, y: nearest.y } }
}

/** One bilinear sample; grey outside of the photograph. */
function sampleInto({ width, height, data }: RgbPicture, x: number, y: number, pixels: Buffer, to: number): void {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) {
    pixels.fill(102, to, to + 3)
    return
  }
  const [a, b] = [x - left, y - top]
  const [above, below] = [(top * width + left) * 3, ((top + 1) * width + left) * 3]
  for (let channel = 0; channel < 3; channel++) {
    const upper = (data[above + channel] ?? 0) * (1 - a) + (data[above + 3 + channel] ?? 0) * a
    const lower = (data[below + channel] ?? 0) * (1 - a) + (data[below + 3 + channel] ?? 0) * a
    pixels[to + channel] = upper * (1 - b) + lower * b
  }
}

/** Mean of `length` neighbours of a row. */
function motionBlur(pixels: Buffer, length: number): Buffer {
  const blurred = Buffer.alloc(pixels.length)
  for (let row = 0; row < HEIGHT; row++)
    for (let column = 0; column < WIDTH; column++)
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let step = 0; step < length; step++)
          sum += pixels[(row * WIDTH + Math.min(WIDTH - 1, column + step)) * 3 + channel] ?? 0
        blurred[(row * WIDTH + column) * 3 + channel] = sum / length
      }
  return blurred
}

function weather(pixels: Buffer, condition: Condition, random: () => number): void {
  const noise = condition === 'noite' ? 14 : 5
  const [glareX, glareY] = [random() * WIDTH, random() * HEIGHT]
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)]
    const grain = (random() + random() - 1) * noise
    const glare = 140 * Math.exp(-((x - glareX) ** 2 + (y - glareY) ** 2) / 9_000)
    const at = pixel * 3
    const grey = ((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)) / 3
    for (let channel = 0; channel < 3; channel++) {
      const value = pixels[at + channel] ?? 0
      const lit = { dia: value, chuva: value, noite: grey * 0.45 + 8, reflexo: value * 0.85 + glare }[condition]
      pixels[at + channel] = Math.max(0, Math.min(255, lit + grain))
    }
  }
  if (condition === 'chuva') for (let drop = 0; drop < 220; drop++) rainDrop(pixels, random)
}

function rainDrop(pixels: Buffer, random: () => number): void {
  const [x, y, length] = [random() * WIDTH, random() * HEIGHT, 6 + random() * 16]
  for (let step = 0; step < length; step++) {
    const column = Math.min(WIDTH - 1, Math.floor(x + step * 0.1))
    const at = (Math.min(HEIGHT - 1, Math.floor(y + step)) * WIDTH + column) * 3
    for (let channel = 0; channel < 3; channel++)
      pixels[at + channel] = Math.min(255, (pixels[at + channel] ?? 0) * 0.6 + 80)
  }
}
