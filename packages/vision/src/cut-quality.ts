import type { CutQuality } from '@vigia/ias/verdict-calibration'
import type { Picture } from './picture.ts'
import type { Region } from './surroundings.ts'

/** Largest measured side, in pixels: a larger cut is measured in its middle. */
const MAX_SIDE = 256
/** Minimum difference over two pixels at an edge, grey levels. */
const EDGE = 16
/** Gain of the mask of noiseOf for white noise: the root of the sum of its squared weights. */
const MASK_GAIN = 6
/** Median of the absolute value of a standard normal variable. */
const NORMAL_MEDIAN = 0.6745

/** Measures the picture around a box without scaling, because scaling removes noise. */
export async function measureCut(picture: Picture, region: Region): Promise<CutQuality> {
  const [width, height] = [Math.min(region.width, MAX_SIDE), Math.min(region.height, MAX_SIDE)]
  const middle = {
    left: region.left + ((region.width - width) >> 1),
    top: region.top + ((region.height - height) >> 1),
    width,
    height,
  }
  const rgb = await picture.cut(middle, { width, height, format: 'rgb' })
  const grey = new Float32Array(width * height)
  // Luma of BT.601.
  for (let i = 0; i < grey.length; i++)
    grey[i] = 0.299 * (rgb[3 * i] ?? 0) + 0.587 * (rgb[3 * i + 1] ?? 0) + 0.114 * (rgb[3 * i + 2] ?? 0)
  return { noise: noiseOf(grey, width), light: meanOf(grey), sharpness: sharpnessOf(grey, width) }
}

const meanOf = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Standard deviation of the noise, by a mask that even surfaces and straight edges leave at 0 (Immerkær, "Fast Noise
 * Variance Estimation", 1996). The median ignores texture on less than half of the cut.
 */
function noiseOf(grey: Float32Array, width: number): number {
  const at = (i: number) => grey[i] ?? 0
  const found: number[] = []
  for (let i = width + 1; i + width + 1 < grey.length; i++) {
    if (i % width === 0 || i % width === width - 1) continue
    const corners = at(i - width - 1) + at(i - width + 1) + at(i + width - 1) + at(i + width + 1)
    const sides = at(i - width) + at(i + width) + at(i - 1) + at(i + 1)
    found.push(Math.abs(corners - 2 * sides + 4 * at(i)))
  }
  const median = Float32Array.from(found).sort()[found.length >> 1] ?? 0
  return median / NORMAL_MEDIAN / MASK_GAIN
}

/** Second difference at edges as a fraction of the first: a step has 1, an even slope 0. null: no edge. */
function sharpnessOf(grey: Float32Array, width: number): number | null {
  let [first, second] = [0, 0]
  for (const step of [1, width])
    for (let i = width + 1; i + width + 1 < grey.length; i++) {
      if (i % width === 0 || i % width === width - 1) continue
      const [before = 0, here = 0, after = 0] = [grey[i - step], grey[i], grey[i + step]]
      const difference = Math.abs(after - before)
      if (difference <= EDGE) continue
      first += difference
      second += Math.abs(after - 2 * here + before)
    }
  return first === 0 ? null : second / first
}
