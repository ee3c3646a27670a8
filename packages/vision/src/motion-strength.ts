import type { Difference } from './background.ts'
import { type CellGrid, meanAround } from './motion-cells.ts'

export interface Strength {
  /**
   * Value of each cell. 1: many pixels changed; ½: only the mean changed, by less than the noise of single pixels; 0:
   * neither.
   */
  readonly cells: Float32Array
  /** Fraction of the cells with changed pixels, 0–1. */
  readonly changed: number
  /** Fraction of the cells whose difference from the background changed since the previous picture, 0–1. */
  readonly restless: number
}

/** Minimum fraction of changed pixels in a moved cell: single noisy pixels never open the gate. */
const CELL_FRACTION = 0.3
/**
 * A person in the dark differs from the background by a few grey levels. The mean of a cell's 16 pixels has a quarter
 * of the noise of one pixel.
 */
const FAINT = 4
const NOISE_FACTOR = 3
/**
 * Noise of the means follows the difference by this fraction per picture; in moving cells more slowly than a person
 * stays.
 */
const NOISE_FOLLOW = 0.02
const MOVED_NOISE_FOLLOW = 0.007
/** Largest difference that updates the noise, grey levels. */
const MOST_NOISE = 60
const FIRST_NOISE = 0.7
/** Above this fraction of the cells, faint differences come from the light or from a keyframe of a poor encoder. */
const MOST_FAINT = 0.15
/** A step of light of this size (gain, grey levels) causes faint differences for STEP_PICTURES pictures. */
const STEP_GAIN = 0.06
const STEP_OFFSET = 6
const STEP_PICTURES = 10
/** Minimum change between two pictures, grey levels. */
const RESTLESS = 4

/** Rates the difference of each cell from the background. The next call overwrites the result. */
export function createMotionStrength(grid: CellGrid) {
  const cells = new Float32Array(grid.count)
  const before = new Float32Array(grid.count)
  const noise = new Float32Array(grid.count).fill(FIRST_NOISE)
  const once = new Float32Array(grid.count)
  const twice = new Float32Array(grid.count)

  let sinceStep = STEP_PICTURES

  return {
    /** `cells` of the last result. */
    last: cells,

    judge({ fit, changed, mean }: Difference): Strength {
      // Shade and light are smooth: the mean difference of the neighbourhood is subtracted from each cell.
      meanAround(mean, grid, once)
      meanAround(once, grid, twice)
      meanAround(twice, grid, once)
      meanAround(once, grid, twice)
      let strong = 0
      let faint = 0
      let restless = 0
      for (let cell = 0; cell < grid.count; cell++) {
        const own = mean[cell] as number
        if (Math.abs(own - (before[cell] as number)) > RESTLESS) restless++
        before[cell] = own
        const apart = Math.abs(own - (twice[cell] as number))
        const grain = noise[cell] as number
        if ((changed[cell] as number) >= CELL_FRACTION) {
          cells[cell] = 1
          strong++
        } else if (apart > FAINT + NOISE_FACTOR * grain) {
          cells[cell] = 0.5
          faint++
        } else cells[cell] = 0
        noise[cell] =
          grain + (Math.min(apart, MOST_NOISE) - grain) * (cells[cell] === 0 ? NOISE_FOLLOW : MOVED_NOISE_FOLLOW)
      }
      const stepped = Math.abs(fit.gain - 1) > STEP_GAIN || Math.abs(fit.offset + 128 * (fit.gain - 1)) > STEP_OFFSET
      sinceStep = stepped ? 0 : sinceStep + 1
      if (sinceStep < STEP_PICTURES || faint > MOST_FAINT * grid.count)
        for (let cell = 0; cell < grid.count; cell++) if (cells[cell] === 0.5) cells[cell] = 0
      return { cells, changed: strong / grid.count, restless: restless / grid.count }
    },
  }
}
