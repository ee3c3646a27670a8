import { createBackgroundFit, type Fit } from './background-fit.ts'
import type { CellGrid } from './motion-cells.ts'

/** Difference between one picture and the background, per cell. The next call overwrites it. */
export interface Difference {
  readonly fit: Fit
  /** Fraction of the cell's pixels that differ by more than their noise. */
  readonly changed: Float32Array
  /** Mean signed difference of the cell, grey levels. */
  readonly mean: Float32Array
}

/**
 * Time constants of the background for still and for moving pixels. The second is slow, so that a standing person is
 * not absorbed at once.
 */
const REST_TAU_MS = 3_000
const MOVED_TAU_MS = 20_000
/** Time constant for a large change that stands still (a light, a parked lorry). */
const SETTLED_TAU_MS = 700
/**
 * Multiple of a pixel's mean absolute difference that counts as noise; the mean absolute difference is 0.8 standard
 * deviations.
 */
const NOISE_FACTOR = 3
/** Longer than the period of a burnt-in clock or a swaying branch. */
const NOISE_TAU_MS = 10_000
/** Permanent motion (a burnt-in clock, a branch) becomes noise, but more slowly than a person stays in one position. */
const MOVED_NOISE_TAU_MS = 30_000
const FIRST_NOISE = 2
/** Largest extrapolated background while the picture is saturated, grey levels. */
const MOST_LIGHT = 400

const share = (elapsedMs: number, tauMs: number) => 1 - Math.exp(-elapsedMs / tauMs)

/**
 * The background of one fixed camera: a running value and a running noise per pixel, 12 bytes. The value is
 * double-buffered, because slopes need the old values while new ones are written. Light, exposure and shake of the
 * whole picture are fitted and removed before the comparison. The background follows the light.
 */
export function createBackground(gray: Uint8Array, grid: CellGrid, threshold: number) {
  const { width, height, size, columns } = grid
  let values = Float32Array.from(gray)
  let next = new Float32Array(gray.length)
  const noise = new Float32Array(gray.length).fill(FIRST_NOISE)
  const fitting = createBackgroundFit(width, height)
  const changed = new Float32Array(grid.count)
  const mean = new Float32Array(grid.count)

  return {
    /**
     * Compares and learns. `settled`: the last pictures have a large change that stands still. In this case learning is
     * fast. `moving`: above 0 for cells that moved in the previous picture; the background follows them slowly.
     */
    compare(gray: Uint8Array, elapsedMs: number, settled: boolean, moving: Float32Array): Difference {
      const fit = fitting.fit(gray, values)
      const { gain, offset, shiftX, shiftY, dx, dy } = fit
      const follow = share(elapsedMs, REST_TAU_MS)
      const followMoved = share(elapsedMs, settled ? SETTLED_TAU_MS : MOVED_TAU_MS)
      const followNoise = share(elapsedMs, NOISE_TAU_MS)
      const followMovedNoise = share(elapsedMs, MOVED_NOISE_TAU_MS)
      // Gain amplifies noise.
      const least = threshold * Math.max(1, gain)
      const grains = NOISE_FACTOR * Math.max(1, gain)
      changed.fill(0)
      mean.fill(0)
      if (shiftX !== 0 || shiftY !== 0)
        for (let at = 0; at < values.length; at++) next[at] = gain * (values[at] as number) + offset
      // The border uncovered by a shift has no background, and the outermost pixels have no slopes.
      const left = Math.max(0, -shiftX)
      const right = width - Math.max(0, shiftX)
      for (let y = Math.max(0, -shiftY); y < height - Math.max(0, shiftY); y++) {
        const row = Math.floor(y / size) * columns
        const backY = y + shiftY
        const slopeY = backY > 0 && backY < height - 1 ? dy / 2 : 0
        for (
          let x = left, cell = row + Math.floor(left / size), edge = (Math.floor(left / size) + 1) * size;
          x < right;
          x++
        ) {
          if (x === edge) {
            edge += size
            cell++
          }
          const at = backY * width + x + shiftX
          const value = gray[y * width + x] as number
          const carried = gain * (values[at] as number) + offset
          let expected = carried
          if (slopeY !== 0) expected += slopeY * ((values[at + width] as number) - (values[at - width] as number))
          if (x + shiftX > 0 && x + shiftX < width - 1)
            expected += (dx / 2) * ((values[at + 1] as number) - (values[at - 1] as number))
          const apart = value - Math.min(255, Math.max(0, expected))
          const difference = apart < 0 ? -apart : apart
          const grain = noise[at] as number
          const moved = difference > least + grains * grain
          if (moved) changed[cell] = (changed[cell] as number) + 1
          mean[cell] = (mean[cell] as number) + apart
          noise[at] = grain + (difference - grain) * (moved ? followMovedNoise : followNoise)
          // A saturated pixel does not lower the background, which is needed again when the exposure recovers.
          const blinded = value >= 253 && carried > value
          const weight = moved || (moving[cell] as number) > 0 ? followMoved : follow
          next[at] = blinded ? Math.min(carried, MOST_LIGHT) : carried + (value - carried) * weight
        }
      }
      ;[values, next] = [next, values]
      for (let cell = 0; cell < grid.count; cell++) {
        const area = grid.area(cell)
        changed[cell] = (changed[cell] as number) / area
        mean[cell] = (mean[cell] as number) / area
      }
      return { fit, changed, mean }
    },

    /** Restarts with this picture as the background of a new scene. */
    begin(gray: Uint8Array): void {
      values.set(gray)
      noise.fill(FIRST_NOISE)
    },

    /** Moves background and noise halfway to this picture, for a new scene with an unstable exposure. */
    settle(gray: Uint8Array): void {
      for (let at = 0; at < values.length; at++) {
        const apart = (gray[at] as number) - (values[at] as number)
        values[at] = (values[at] as number) + apart / 2
        noise[at] = Math.max(noise[at] as number, Math.abs(apart) / 2)
      }
    },
  }
}
