import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

export const WIDTH = 160
export const HEIGHT = 120
/** Time between two pictures of the footage. */
export const STEP_MS = 200
const COLUMNS = 10

/** `fixtures/campus-60.webp`: 60 pictures of a yard with people, 160x120, five a second, ten in a row. */
async function readFootage(channels: 1 | 3): Promise<Uint8Array[]> {
  const path = fileURLToPath(new URL('../../fixtures/campus-60.webp', import.meta.url))
  const sheet = sharp(path).removeAlpha()
  const { data, info } = await (channels === 1 ? sheet.greyscale() : sheet).raw().toBuffer({ resolveWithObject: true })
  const rows = info.height / HEIGHT
  return Array.from({ length: COLUMNS * rows }, (_, index) => {
    const picture = new Uint8Array(WIDTH * HEIGHT * channels)
    const left = (index % COLUMNS) * WIDTH
    const top = Math.floor(index / COLUMNS) * HEIGHT
    for (let y = 0; y < HEIGHT; y++) {
      const from = ((top + y) * info.width + left) * channels
      picture.set(data.subarray(from, from + WIDTH * channels), y * WIDTH * channels)
    }
    return picture
  })
}

export const readGrayFootage = () => readFootage(1)
export const readColourFootage = () => readFootage(3)

/** The yard without its people: the median of each pixel. */
export function emptied(pictures: readonly Uint8Array[]): Uint8Array {
  const values = new Uint8Array(pictures.length)
  return new Uint8Array(pictures[0]?.length ?? 0).map((_, at) => {
    pictures.forEach((picture, index) => {
      values[index] = picture[at] ?? 0
    })
    return values.sort()[values.length >> 1] ?? 0
  })
}

/** Repeatable 0–1. */
export function createDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

const grey = (value: number) => Math.max(0, Math.min(255, Math.round(value)))

/** Applies `rule` to each pixel. Plain loops, because `Uint8Array.from` with a function takes ten times as long. */
export function painted(gray: Uint8Array, rule: (value: number, x: number, y: number) => number): Uint8Array {
  const picture = new Uint8Array(gray.length)
  for (let y = 0, at = 0; at < gray.length; y++)
    for (let x = 0; x < WIDTH; x++, at++) picture[at] = grey(rule(gray[at] ?? 0, x, y))
  return picture
}

/** Adds approximately normal sensor noise with the standard deviation `amount`. */
export const noisy = (gray: Uint8Array, amount: number, dice: () => number): Uint8Array =>
  painted(gray, (value) => value + (dice() + dice() + dice() - 1.5) * 2 * amount)

/** Adds bright streaks, new ones in each picture. */
export function rained(gray: Uint8Array, drops: number, dice: () => number): Uint8Array {
  const wet = Uint8Array.from(gray)
  for (let drop = 0; drop < drops; drop++) {
    const x = Math.floor(dice() * WIDTH)
    const top = Math.floor(dice() * HEIGHT)
    const bottom = Math.min(HEIGHT, top + 4 + Math.floor(dice() * 10))
    for (let y = top; y < bottom; y++) wet[y * WIDTH + x] = grey((wet[y * WIDTH + x] ?? 0) + 40)
  }
  return wet
}

/** Adds white flakes of 2 to 3 pixels, new ones in each picture. */
export function snowed(gray: Uint8Array, flakes: number, dice: () => number): Uint8Array {
  const white = Uint8Array.from(gray)
  for (let flake = 0; flake < flakes; flake++) {
    const size = dice() < 0.3 ? 3 : 2
    const left = Math.floor(dice() * (WIDTH - size))
    const top = Math.floor(dice() * (HEIGHT - size))
    for (let y = top; y < top + size; y++) white.fill(225, y * WIDTH + left, y * WIDTH + left + size)
  }
  return white
}

/** Shifts the picture by (dx, dy) pixels, also by fractions; repeats the border. */
export function shifted(gray: Uint8Array, dx: number, dy: number): Uint8Array {
  const at = (x: number, y: number) =>
    gray[Math.min(HEIGHT - 1, Math.max(0, y)) * WIDTH + Math.min(WIDTH - 1, Math.max(0, x))] ?? 0
  const [left, top] = [Math.floor(dx), Math.floor(dy)]
  const [fx, fy] = [dx - left, dy - top]
  return painted(gray, (_, x, y) => {
    const upper = at(x + left, y + top) * (1 - fx) + at(x + left + 1, y + top) * fx
    const lower = at(x + left, y + top + 1) * (1 - fx) + at(x + left + 1, y + top + 1) * fx
    return upper * (1 - fy) + lower * fy
  })
}

/** Imitates an infrared camera: other greys, a bright middle, noise. */
export const infrared = (gray: Uint8Array, dice: () => number): Uint8Array =>
  noisy(
    painted(gray, (value, x, y) => {
      const out = (x / WIDTH - 0.5) ** 2 + (y / HEIGHT - 0.5) ** 2
      return (value < 95 ? 160 - value : value * 0.6 + 20) * (1.1 - 1.2 * out)
    }),
    5,
    dice,
  )
