import { normal, type Random } from '@vigia/testing/random'

/** A packed RGB picture. Functions change it in place or return a new buffer. */
export interface Pixels {
  readonly rgb: Buffer
  readonly width: number
  readonly height: number
}

const clamp = (value: number): number => Math.min(255, Math.max(0, value))

/**
 * Adds noise with this standard deviation in levels of brightness, equal in the three colours, different in every
 * picture.
 */
export function createNoise(deviation: number, random: Random): (picture: Pixels) => void {
  // A table with a random start for every row: new random numbers would take longer than the analysis.
  const table = Float32Array.from({ length: 2 ** 16 }, () => normal(random))
  return ({ rgb, width, height }) => {
    for (let y = 0; y < height; y++) {
      let at = Math.floor(random() * table.length)
      for (let x = 0; x < width; x++) {
        at = (at + 1) % table.length
        const more = (table[at] ?? 0) * deviation
        const index = (y * width + x) * 3
        for (let c = index; c < index + 3; c++) rgb[c] = clamp((rgb[c] ?? 0) + more)
      }
    }
  }
}

/** Multiplies every value by `gain` around `pivot`. */
export function scaleValues({ rgb }: Pixels, gain: number, pivot = 0): void {
  const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => pivot + (value - pivot) * gain)
  for (let index = 0; index < rgb.length; index++) rgb[index] = table[rgb[index] ?? 0] ?? 0
}

/** Removes the colours (luma of BT.601). */
export function toGray({ rgb }: Pixels): void {
  for (let index = 0; index < rgb.length; index += 3) {
    const luma = 0.299 * (rgb[index] ?? 0) + 0.587 * (rgb[index + 1] ?? 0) + 0.114 * (rgb[index + 2] ?? 0)
    rgb.fill(luma, index, index + 3)
  }
}

/** Blurs by three box filters over `2 · radius + 1` pixels in each direction, which approximate a Gaussian. */
export function blur(picture: Pixels, radius: number): void {
  for (let pass = 0; pass < 3; pass++) {
    meanAlong(picture, radius, picture.height, picture.width, picture.width * 3, 3)
    meanAlong(picture, radius, picture.width, picture.height, 3, picture.width * 3)
  }
}

function meanAlong({ rgb }: Pixels, radius: number, lines: number, length: number, lineStep: number, step: number) {
  const line = new Uint8Array(length)
  const last = length - 1
  const size = 2 * radius + 1
  for (let number = 0; number < lines; number++) {
    for (let c = 0; c < 3; c++) {
      const start = number * lineStep + c
      for (let i = 0; i < length; i++) line[i] = rgb[start + i * step] ?? 0
      let sum = 0
      for (let i = -radius; i <= radius; i++) sum += line[Math.min(last, Math.max(0, i))] ?? 0
      for (let i = 0; i < length; i++) {
        rgb[start + i * step] = sum / size
        sum += (line[Math.min(last, i + radius + 1)] ?? 0) - (line[Math.max(0, i - radius)] ?? 0)
      }
    }
  }
}

/** Shifts by whole pixels and repeats the border. */
export function shifted({ rgb, width, height }: Pixels, dx: number, dy: number): Buffer {
  const moved = Buffer.allocUnsafe(rgb.length)
  for (let y = 0; y < height; y++) {
    const from = Math.min(height - 1, Math.max(0, y - dy)) * width
    for (let x = 0; x < width; x++) {
      const source = (from + Math.min(width - 1, Math.max(0, x - dx))) * 3
      const target = (y * width + x) * 3
      moved[target] = rgb[source] ?? 0
      moved[target + 1] = rgb[source + 1] ?? 0
      moved[target + 2] = rgb[source + 2] ?? 0
    }
  }
  return moved
}

/** Draws a bright streak one pixel wide from `x`, `y` downwards, slanted by `slope` pixels per row. */
export function streak(
  { rgb, width, height }: Pixels,
  x: number,
  y: number,
  length: number,
  slope: number,
  opacity: number,
) {
  for (let i = 0; i < length; i++) {
    const [px, py] = [Math.round(x + i * slope), Math.round(y) + i]
    if (px < 0 || px >= width || py < 0 || py >= height) continue
    const index = (py * width + px) * 3
    for (let c = index; c < index + 3; c++) rgb[c] = clamp((rgb[c] ?? 0) * (1 - opacity) + 235 * opacity)
  }
}

/** Rotates to the right by whole pixels: pixels that leave on the right enter on the left. */
export function wrapped({ rgb, width, height }: Pixels, dx: number): Buffer {
  const moved = Buffer.allocUnsafe(rgb.length)
  const cut = (width - dx) * 3
  for (let y = 0; y < height; y++) {
    const row = y * width * 3
    rgb.copy(moved, row, row + cut, row + width * 3)
    rgb.copy(moved, row + dx * 3, row, row + cut)
  }
  return moved
}
