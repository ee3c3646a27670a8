import type { Pixels } from '../stress/pixels.ts'

/** A value for each pixel of a picture of one size. */
export type Field = Float32Array

/** Fields of smooth random patches from 0 to 1, as sums of two scales of bilinear noise. */
export function patches(width: number, height: number, columns: number, random: () => number): Field {
  const field = new Float32Array(width * height)
  for (const [cells, weight] of [
    [columns, 0.65],
    [columns * 3, 0.35],
  ] as const) {
    const across = cells + 2
    const down = Math.ceil((cells * height) / width) + 2
    const knots = Float32Array.from({ length: across * down }, random)
    for (let y = 0; y < height; y++) {
      const fy = (y / width) * cells
      const [row, v] = [Math.floor(fy), fy % 1]
      for (let x = 0; x < width; x++) {
        const fx = (x / width) * cells
        const [column, u] = [Math.floor(fx), fx % 1]
        const at = row * across + column
        const top = (knots[at] ?? 0) * (1 - u) + (knots[at + 1] ?? 0) * u
        const bottom = (knots[at + across] ?? 0) * (1 - u) + (knots[at + across + 1] ?? 0) * u
        field[y * width + x] = (field[y * width + x] ?? 0) + weight * (top * (1 - v) + bottom * v)
      }
    }
  }
  return field
}

/** Brightness of a lamp beside the lens: 1 in the middle, `edge` in the corners. */
export function lampField(width: number, height: number, edge: number): Field {
  return Float32Array.from({ length: width * height }, (_, at) => {
    const dx = ((at % width) - width / 2) / (width / 2)
    const dy = (Math.floor(at / width) - height / 2) / (height / 2)
    return 1 - ((1 - edge) * (dx * dx + dy * dy)) / 2
  })
}

/** Multiplies every pixel by `field` and `gain`. */
export function shade({ rgb }: Pixels, field: Field, gain: number): void {
  for (let at = 0; at < field.length; at++) {
    const factor = (field[at] ?? 0) * gain
    const index = at * 3
    rgb[index] = Math.min(255, (rgb[index] ?? 0) * factor)
    rgb[index + 1] = Math.min(255, (rgb[index + 1] ?? 0) * factor)
    rgb[index + 2] = Math.min(255, (rgb[index + 2] ?? 0) * factor)
  }
}

/** Mixes every pixel with grey of `level` by `opacity(at)`, 0–1. */
export function veil({ rgb }: Pixels, level: number, opacity: (at: number) => number): void {
  for (let at = 0; at * 3 < rgb.length; at++) {
    const share = opacity(at)
    const index = at * 3
    rgb[index] = (rgb[index] ?? 0) * (1 - share) + level * share
    rgb[index + 1] = (rgb[index + 1] ?? 0) * (1 - share) + level * share
    rgb[index + 2] = (rgb[index + 2] ?? 0) * (1 - share) + level * share
  }
}

/** Position, radii and largest added brightness (levels of 255) of a soft light. Positions in pixels. */
export interface Glow {
  readonly x: number
  readonly y: number
  readonly rx: number
  readonly ry: number
  readonly level: number
}

/** Adds a light that falls off smoothly to its radii. */
export function glow({ rgb, width, height }: Pixels, { x, y, rx, ry, level }: Glow): void {
  const [top, bottom] = [Math.max(0, Math.ceil(y - ry)), Math.min(height - 1, Math.floor(y + ry))]
  const [left, right] = [Math.max(0, Math.ceil(x - rx)), Math.min(width - 1, Math.floor(x + rx))]
  for (let py = top; py <= bottom; py++) {
    for (let px = left; px <= right; px++) {
      const away = ((px - x) / rx) ** 2 + ((py - y) / ry) ** 2
      if (away >= 1) continue
      const more = level * (1 - away) ** 2
      const index = (py * width + px) * 3
      for (let c = index; c < index + 3; c++) rgb[c] = Math.min(255, (rgb[c] ?? 0) + more)
    }
  }
}
