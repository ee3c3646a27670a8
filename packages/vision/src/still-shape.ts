/** A part of a picture that stands still, with its outline. */
export interface Shape {
  readonly left: number
  readonly top: number
  /** Exclusive. */
  readonly right: number
  readonly bottom: number
  /** Indexes of its pixels in the picture. */
  readonly pixels: readonly number[]
}

/** Pixels at most this far apart belong together. */
const GAP = 4
/** Larger shapes are light, or a vehicle: a limit of the search, as a fraction of the picture. */
const MOST_AREA = 0.15

/** The connected shapes of `mask` with at least `least` pixels. */
export function shapesOf(mask: Uint8Array, width: number, height: number, least: number): Shape[] {
  const seen = new Uint8Array(mask.length)
  const shapes: Shape[] = []
  for (let start = 0; start < mask.length; start++) {
    if (!mask[start] || seen[start]) continue
    let [left, top, right, bottom] = [width, height, 0, 0]
    const pixels = [start]
    seen[start] = 1
    for (let next = 0; next < pixels.length; next++) {
      const at = pixels[next] as number
      const x = at % width
      const y = (at - x) / width
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
      for (let py = Math.max(0, y - GAP); py <= Math.min(height - 1, y + GAP); py++)
        for (let px = Math.max(0, x - GAP); px <= Math.min(width - 1, x + GAP); px++) {
          const other = py * width + px
          if (!mask[other] || seen[other]) continue
          seen[other] = 1
          pixels.push(other)
        }
    }
    if (pixels.length >= least && pixels.length <= MOST_AREA * mask.length)
      shapes.push({ left, top, right, bottom, pixels })
  }
  return shapes
}

export type Kind = 'deixado' | 'retirado' | 'luz'

/** Minimum fraction of the box that the pixels of an object fill. */
const LEAST_FILLED = 0.35
/** Gradient of the background, grey levels per pixel, from which its pattern can be compared. */
const PATTERN = 3
/** Correlation of two patterns from which they are the same: only the light changed. */
const SAME_PATTERN = 0.65
/** Largest step at the outline of a soft light or shadow, as a fraction of its difference from the background. */
const SOFT = 0.3
/**
 * A place that was left bare resembles the ground around it, in grey levels and colour, and its outline is weak. Both
 * ratios, before to after, as logarithms: above this sum the object was taken away.
 */
const BARE = 0.25
/** Width of the ground around a shape, in pixels, and levels of one bin of its histogram. */
const GROUND = 4
const BIN = 16

/**
 * Distinguishes objects from changed light, and those put down from those taken away. Light keeps the pattern
 * of the background or has a soft outline. The outline of an object is an edge of the picture that shows it.
 */
export function kindOf(gray: Uint8Array, expected: Float32Array, width: number, height: number, shape: Shape): Kind {
  const { left, top, right, bottom, pixels } = shape
  if (pixels.length < LEAST_FILLED * (right - left) * (bottom - top)) return 'luz'
  const inside = new Set(pixels)
  let [nn, bb, nb, count] = [0, 0, 0, 0]
  let [outlineNow, outlineBefore, outlines, apart] = [0, 0, 0, 0]
  for (const at of pixels) {
    const x = at % width
    apart += Math.abs((gray[at] as number) - (expected[at] as number))
    if (x === 0 || x >= width - 1 || at < width || at >= width * (height - 1)) continue
    const [nx, ny] = slopes(gray, at, width)
    const [bx, by] = slopes(expected, at, width)
    const edge = !(inside.has(at - 1) && inside.has(at + 1) && inside.has(at - width) && inside.has(at + width))
    if (edge) {
      outlineNow += Math.hypot(nx, ny)
      outlineBefore += Math.hypot(bx, by)
      outlines++
    } else {
      nn += nx * nx + ny * ny
      bb += bx * bx + by * by
      nb += nx * bx + ny * by
      count++
    }
  }
  if (outlines === 0) return 'luz'
  const patterned = count > 8 && Math.sqrt(bb / count) >= PATTERN
  if (patterned && nb / Math.sqrt(Math.max(1e-6, nn * bb)) >= SAME_PATTERN) return 'luz'
  const [now, before] = [outlineNow / outlines, outlineBefore / outlines]
  if (Math.max(now, before) < (SOFT * apart) / pixels.length) return 'luz'
  const [likeNow, likeBefore] = groundOf(gray, expected, width, height, shape, inside)
  const outline = Math.log((before + 1) / (now + 1))
  return outline + Math.log((likeBefore + 0.1) / (likeNow + 0.1)) > BARE ? 'retirado' : 'deixado'
}

/** Distances of the histograms inside the shape from those of the ground around it, now and before. */
function groundOf(
  now: Uint8Array,
  before: Float32Array,
  width: number,
  height: number,
  { left, top, right, bottom }: Shape,
  inside: ReadonlySet<number>,
): [now: number, before: number] {
  const bins = 256 / BIN
  const [around, fresh, old] = [0, 1, 2].map(() => new Float32Array(2 * bins)) as [Bins, Bins, Bins]
  const size = width * height
  let [ground, own] = [1, 1]
  for (let y = Math.max(0, top - GROUND); y < Math.min(height, bottom + GROUND); y++)
    for (let x = Math.max(0, left - GROUND); x < Math.min(width, right + GROUND); x++) {
      const at = y * width + x
      const isInside = inside.has(at)
      add(isInside ? fresh : around, now, at, size)
      if (isInside) add(old, before, at, size)
      if (isInside) own++
      else ground++
    }
  const distance = (one: Bins) =>
    one.reduce((sum, value, bin) => sum + Math.abs(value / own - (around[bin] as number) / ground), 0)
  return [distance(fresh), distance(old)]
}
type Bins = Float32Array

function add(bins: Bins, planes: ArrayLike<number>, at: number, size: number): void {
  const [level, colour] = [Math.floor((planes[at] as number) / BIN), Math.floor((planes[at + size] as number) / BIN)]
  bins[level] = (bins[level] as number) + 1
  bins[256 / BIN + colour] = (bins[256 / BIN + colour] as number) + 1
}

function slopes(values: ArrayLike<number>, at: number, width: number): [number, number] {
  const dx = (values[at + 1] as number) - (values[at - 1] as number)
  const dy = (values[at + width] as number) - (values[at - width] as number)
  return [dx / 2, dy / 2]
}
