import { type CellGrid, meanAround, tilesOf } from './motion-cells.ts'

/**
 * Rain, snow, insects and noise also move cells, but at scattered positions and for one picture each. A cell counts
 * when its neighbourhood moves now, and moved in the previous pictures, more than chance allows at the current usual
 * rate. Without clutter one cell in one picture is enough.
 */
export interface Clutter {
  /** `strength`: motion of each cell, 0–1. Sets `mask` for the cells above clutter. */
  judge(strength: Float32Array, elapsedMs: number, mask: Uint8Array): void
}

/** Decay of a cell's heat per picture: three to four pictures count. */
const KEEP = 0.6
/**
 * The rate of the whole picture is the median over these tiles, because clutter is everywhere but an object is local.
 */
const TILES_X = 5
const TILES_Y = 4
const RATE_TAU_MS = 8_000
/** Permanent local motion (a branch, a flag) has its own rate, with an upper limit, because people walk there too. */
const HABIT_TAU_MS = 60_000
const MOST_HABIT = 0.12
/** Rate that a single slow passer-by leaves behind. */
const PASSED = 0.03
/** Required standard deviations above chance in this picture and in the previous ones; each picture has 1200 cells. */
const SIGMAS_NOW = 3
const SIGMAS_BEFORE = 5
/** From this rate on (fraction of the cells per picture) motion in the previous pictures is required. */
const CLUTTERED = 0.004

/**
 * Sum of the weights of the previous pictures and of their squares: mean and variance of a cell's heat at a constant
 * rate.
 */
const WEIGHTS = 1 / (1 - KEEP)
const SQUARED_WEIGHTS = 1 / (1 - KEEP * KEEP)
const AROUND = 9

export function createClutter(grid: CellGrid): Clutter {
  const heat = new Float32Array(grid.count)
  const now = new Float32Array(grid.count)
  const earlier = new Float32Array(grid.count)
  const habit = new Float32Array(grid.count)
  const habitAround = new Float32Array(grid.count)
  const supported = new Uint8Array(grid.count)
  const tileOf = tilesOf(grid, TILES_X, TILES_Y)
  const tileRate = new Float32Array(TILES_X * TILES_Y)
  const tileNow = new Float32Array(TILES_X * TILES_Y)
  const tileCells = new Float32Array(TILES_X * TILES_Y)
  for (const tile of tileOf) tileCells[tile] = (tileCells[tile] as number) + 1

  function learn(strength: Float32Array, elapsedMs: number): void {
    const follow = 1 - Math.exp(-elapsedMs / RATE_TAU_MS)
    const followHabit = 1 - Math.exp(-elapsedMs / HABIT_TAU_MS)
    tileNow.fill(0)
    for (let cell = 0; cell < grid.count; cell++) {
      const moved = strength[cell] as number
      const tile = tileOf[cell] as number
      tileNow[tile] = (tileNow[tile] as number) + moved
      heat[cell] = (heat[cell] as number) * KEEP + moved
      habit[cell] = (habit[cell] as number) + (moved - (habit[cell] as number)) * followHabit
    }
    for (let tile = 0; tile < tileRate.length; tile++) {
      const now = (tileNow[tile] as number) / Math.max(1, tileCells[tile] as number)
      tileRate[tile] = (tileRate[tile] as number) + (now - (tileRate[tile] as number)) * follow
    }
  }

  const medianRate = () => tileRate.toSorted()[tileRate.length >> 1] as number

  return {
    judge(strength, elapsedMs, mask) {
      meanAround(heat, grid, earlier)
      meanAround(strength, grid, now)
      meanAround(habit, grid, habitAround)
      const rate = medianRate()
      learn(strength, elapsedMs)
      for (let cell = 0; cell < grid.count; cell++) {
        const usual = Math.max(rate, Math.min(MOST_HABIT, (habitAround[cell] as number) - PASSED))
        const variance = AROUND * usual * (1 - usual)
        const leastNow = 1 + AROUND * usual + SIGMAS_NOW * Math.sqrt(variance)
        const leastEarlier =
          Math.min(1, usual / CLUTTERED) +
          WEIGHTS * AROUND * usual +
          SIGMAS_BEFORE * Math.sqrt(SQUARED_WEIGHTS * variance)
        supported[cell] =
          (strength[cell] as number) > 0 &&
          AROUND * (now[cell] as number) >= leastNow &&
          AROUND * (earlier[cell] as number) >= leastEarlier
            ? 1
            : 0
      }
      // The rim of a moving object belongs to it.
      const { columns, rows } = grid
      for (let row = 0, cell = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++, cell++) {
          mask[cell] = (strength[cell] as number) > 0 && anyAround(supported, column, row, grid) ? 1 : 0
        }
      }
    },
  }
}

function anyAround(marks: Uint8Array, column: number, row: number, { columns, rows }: CellGrid): boolean {
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      if (marks[y * columns + x]) return true
    }
  }
  return false
}
