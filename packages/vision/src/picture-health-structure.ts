/**
 * Edge directions of a picture, independent of the light. Each cell of 4x4 pixels has the direction of its gradients as
 * a vector of the doubled angle (gx²−gy², 2·gx·gy). Therefore dark on bright equals bright on dark. Cells form blocks,
 * which are compared with those of another picture.
 */
export interface Structure {
  /** Two numbers per cell; the length, 0–1, is the clarity of the direction. */
  readonly directions: Float32Array
  /** Mean gradient of each block, grey levels per pixel. */
  readonly detail: Float32Array
  /** Mean grey level of each block. */
  readonly bright: Float32Array
  /**
   * `fine`: mean second difference of pixels, which blur reduces. `coarse`: mean first difference of cells, which blur
   * keeps.
   */
  readonly fine: number
  readonly coarse: number
}

const CELL = 4
/** Blocks across and down. */
const BLOCKS_X = 8
const BLOCKS_Y = 6
export const BLOCKS = BLOCKS_X * BLOCKS_Y
/** Gradients below about this, grey levels per pixel, are noise, and their direction has little weight. */
const NOISE_FLOOR = 1.5

/** Minimum mean square of the directions in a block with a pattern. */
const LEAST_PATTERN = 1e-4
/** Number of sums per block during a comparison: count, both directions, and their products. */
const SUMS = 8
type Sums = readonly [number, number, number, number, number, number, number, number]

/** `values`: a picture averaged over about a second, without noise. The next call overwrites the result. */
export function createStructure(width: number, height: number) {
  const columns = Math.floor(width / CELL)
  const rows = Math.floor(height / CELL)
  const directions = new Float32Array(columns * rows * 2)
  const detail = new Float32Array(BLOCKS)
  const bright = new Float32Array(BLOCKS)
  const counts = new Uint32Array(BLOCKS)
  const sums = new Float64Array(BLOCKS * SUMS)
  const means = new Float32Array(columns * rows)
  const blockOf = Uint8Array.from({ length: columns * rows }, (_, cell) => {
    const across = Math.floor(((cell % columns) * BLOCKS_X) / columns)
    return Math.floor((Math.floor(cell / columns) * BLOCKS_Y) / rows) * BLOCKS_X + across
  })

  function measure(values: Float32Array): Structure {
    detail.fill(0)
    bright.fill(0)
    counts.fill(0)
    let fine = 0
    for (let row = 0, cell = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++, cell++) {
        let [xx, yy, xy, sum, gradients] = [0, 0, 0, 0, 0]
        const bottom = Math.min(height - 1, (row + 1) * CELL)
        const right = Math.min(width - 1, (column + 1) * CELL)
        for (let y = Math.max(1, row * CELL); y < bottom; y++) {
          for (let x = Math.max(1, column * CELL), at = y * width + x; x < right; x++, at++) {
            const here = values[at] as number
            const [west, east] = [values[at - 1] as number, values[at + 1] as number]
            const [north, south] = [values[at - width] as number, values[at + width] as number]
            const gx = (east - west) / 2
            const gy = (south - north) / 2
            xx += gx * gx
            yy += gy * gy
            xy += gx * gy
            sum += here
            gradients += Math.abs(gx) + Math.abs(gy)
            fine += Math.abs(4 * here - west - east - north - south)
          }
        }
        const pixels = (bottom - Math.max(1, row * CELL)) * (right - Math.max(1, column * CELL))
        const strength = xx + yy + NOISE_FLOOR * NOISE_FLOOR * pixels
        directions[2 * cell] = (xx - yy) / strength
        directions[2 * cell + 1] = (2 * xy) / strength
        means[cell] = sum / pixels
        const block = blockOf[cell] as number
        detail[block] = (detail[block] as number) + gradients
        bright[block] = (bright[block] as number) + sum
        counts[block] = (counts[block] as number) + pixels
      }
    }
    for (let block = 0; block < BLOCKS; block++) {
      const count = Math.max(1, counts[block] as number)
      detail[block] = (detail[block] as number) / count
      bright[block] = (bright[block] as number) / count
    }
    let coarse = 0
    for (let cell = columns; cell < means.length; cell++) {
      if (cell % columns === 0) continue
      const here = means[cell] as number
      coarse += Math.abs(here - (means[cell - 1] as number)) + Math.abs(here - (means[cell - columns] as number))
    }
    return { directions, detail, bright, fine: fine / (width * height), coarse: coarse / means.length }
  }

  /**
   * Correlation of the directions of each block with those of `reference`, −1…1; 0 where one of them has no pattern.
   * The block's mean direction is subtracted first, because upright walls and smooth light occur everywhere. Only the
   * position of the edges in the block counts.
   */
  function compare(now: Float32Array, reference: Float32Array, out: Float32Array): void {
    sums.fill(0)
    for (let cell = 0; cell < blockOf.length; cell++) {
      const at = SUMS * (blockOf[cell] as number)
      const [ax, ay] = [now[2 * cell] as number, now[2 * cell + 1] as number]
      const [bx, by] = [reference[2 * cell] as number, reference[2 * cell + 1] as number]
      sums[at] = (sums[at] as number) + 1
      sums[at + 1] = (sums[at + 1] as number) + ax
      sums[at + 2] = (sums[at + 2] as number) + ay
      sums[at + 3] = (sums[at + 3] as number) + bx
      sums[at + 4] = (sums[at + 4] as number) + by
      sums[at + 5] = (sums[at + 5] as number) + ax * bx + ay * by
      sums[at + 6] = (sums[at + 6] as number) + ax * ax + ay * ay
      sums[at + 7] = (sums[at + 7] as number) + bx * bx + by * by
    }
    for (let block = 0; block < BLOCKS; block++) {
      const [n, ax, ay, bx, by, ab, aa, bb] = sums.subarray(SUMS * block, SUMS * (block + 1)) as unknown as Sums
      const own = aa - (ax * ax + ay * ay) / n
      const other = bb - (bx * bx + by * by) / n
      const least = LEAST_PATTERN * n
      out[block] = own > least && other > least ? (ab - (ax * bx + ay * by) / n) / Math.sqrt(own * other) : 0
    }
  }

  return { measure, compare }
}
