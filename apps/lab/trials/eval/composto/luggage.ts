import { normal, xorshift } from '@vigia/testing/random'

/** A drawn object: packed RGB and the opacity of each pixel, 0–1. */
export interface Sprite {
  readonly rgb: Uint8Array
  readonly opacity: Float32Array
  readonly width: number
  readonly height: number
}

export const luggageKinds = ['mala', 'mochila', 'caixa', 'sacola', 'bolsa_esportiva'] as const
export type LuggageKind = (typeof luggageKinds)[number]

const colours = [
  [35, 35, 40],
  [120, 40, 35],
  [30, 55, 110],
  [150, 115, 75],
  [200, 195, 185],
  [60, 95, 60],
  [180, 150, 40],
] as const

/** Width of each kind in its heights. */
export const shapes: Readonly<Record<LuggageKind, number>> = {
  mala: 0.7,
  mochila: 0.75,
  caixa: 1.15,
  sacola: 0.85,
  bolsa_esportiva: 1.7,
}

/** Inside of the outline, in fractions of the object, and the height of its handle. */
const outlines: Readonly<Record<LuggageKind, (x: number, y: number) => boolean>> = {
  mala: (x, y) => (y > 0.22 && rounded(x, (y - 0.22) / 0.78, 0.12)) || (y <= 0.22 && frame(x, 0.3, 0.7, y, 0.05)),
  mochila: (x, y) => rounded(x, y, 0.35) && (y > 0.12 || Math.abs(x - 0.5) < 0.2),
  caixa: (x, y) => x >= 0 && y >= 0,
  sacola: (x, y) => (y > 0.3 && Math.abs(x - 0.5) < 0.42 + 0.08 * y) || (y <= 0.3 && frame(x, 0.25, 0.75, y, 0.06)),
  bolsa_esportiva: (x, y) =>
    (y > 0.25 && rounded(x, (y - 0.25) / 0.75, 0.3)) || (y <= 0.25 && frame(x, 0.35, 0.65, y, 0.04)),
}

function rounded(x: number, y: number, radius: number): boolean {
  const [dx, dy] = [Math.max(0, radius - Math.min(x, 1 - x)), Math.max(0, radius - Math.min(y, 1 - y))]
  return dx * dx + dy * dy <= radius * radius
}

/** A handle: two bars and the one that joins them. */
const frame = (x: number, left: number, right: number, y: number, thick: number): boolean =>
  x > left && x < right && (y < 0.07 || x < left + thick || x > right - thick)

/** Draws one object with folds, a seam or tape, shading from a lamp above, and grain. The same seed draws the same. */
export function drawLuggage(kind: LuggageKind, height: number, light: number, seed: number): Sprite {
  const random = xorshift(seed)
  for (let i = 0; i < 4; i++) random()
  const width = Math.max(3, Math.round(height * shapes[kind]))
  const grain = Float32Array.from({ length: 4096 }, () => normal(random))
  const colour = colours[Math.floor(random() * colours.length)] ?? colours[0]
  const [side, stripe, folds] = [random() < 0.5, 0.3 + 0.4 * random(), 2 + Math.floor(random() * 4)]
  const rgb = new Uint8Array(width * height * 3)
  const opacity = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      opacity[at] = covered(outlines[kind], x, y, width, height)
      const [u, v] = [(x + 0.5) / width, (y + 0.5) / height]
      const shade = 1.15 - 0.45 * v - 0.35 * (side ? u : 1 - u) + 0.06 * Math.sin(u * 6.28 * folds)
      const seam = Math.abs(v - stripe) < 0.03 || (kind === 'caixa' && Math.abs(u - 0.5) < 0.06) ? 0.6 : 1
      for (let c = 0; c < 3; c++) {
        const value = (colour[c] ?? 0) * shade * seam * light + 3 * (grain[(at * 3 + c) & 4095] ?? 0)
        rgb[at * 3 + c] = Math.max(0, Math.min(255, value))
      }
    }
  }
  return { rgb, opacity, width, height }
}

/** Fraction of a pixel inside of the outline, from four points. */
function covered(inside: (x: number, y: number) => boolean, x: number, y: number, width: number, height: number) {
  let sum = 0
  for (const dx of [0.25, 0.75])
    for (const dy of [0.25, 0.75]) if (inside((x + dx) / width, (y + dy) / height)) sum += 0.25
  return sum
}
