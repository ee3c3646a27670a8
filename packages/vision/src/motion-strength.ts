import type { Difference } from './background.ts'
import { type CellGrid, meanAround } from './motion-cells.ts'

export interface Strength {
  /** For each cell: 1 many of its pixels changed, ½ only its mean did, by less than single pixels can tell; 0 neither. */
  readonly cells: Float32Array
  /** Fraction of the picture's cells whose pixels changed, 0–1. */
  readonly changed: number
  /** Fraction of the picture's cells that differ from the background otherwise than in the picture before, 0–1. */
  readonly restless: number
}

/** A cell moved when this fraction of its pixels did: single noisy pixels never open the gate. */
const CELL_FRACTION = 0.3
/** A person in the dark differs by a few grey levels. The mean of a cell's 16 pixels has a quarter of their noise. */
const FAINT = 4
const NOISE_FACTOR = 3
/** Noise of the means rises and falls by this fraction of the difference each picture; where it moves, slower than a person stays. */
const NOISE_FOLLOW = 0.02
const MOVED_NOISE_FOLLOW = 0.007
/** No more is taken for noise at once, grey levels. */
const MOST_NOISE = 60
const FIRST_NOISE = 0.7
/** Faint in so many cells at once is the light or a keyframe of a poor encoder. */
const MOST_FAINT = 0.15
/** A step of light of this size (gain, grey levels) leaves faint differences that are its own for so many pictures. */
const STEP_GAIN = 0.06
const STEP_OFFSET = 6
const STEP_PICTURES = 10
/** Grey levels between two pictures that count as change. */
const RESTLESS = 4

/** Judges each cell's difference from the background. Overwrites its answer with the next call. */
export function createMotionStrength(grid: CellGrid) {
  const cells = new Float32Array(grid.count)
  const before = new Float32Array(grid.count)
  const noise = new Float32Array(grid.count).fill(FIRST_NOISE)
  const once = new Float32Array(grid.count)
  const twice = new Float32Array(grid.count)

  let sinceStep = STEP_PICTURES

  return {
    /** `cells` of the last answer. */
    last: cells,

    judge({ fit, changed, mean }: Difference): Strength {
      // Shade and light are smooth: what a cell differs by less than all around it is theirs.
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
