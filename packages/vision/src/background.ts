import { createBackgroundFit, type Fit } from './background-fit.ts'
import type { CellGrid } from './motion-cells.ts'

/** What differs from the background in one picture, cell by cell. Overwritten by the next call. */
export interface Difference {
  readonly fit: Fit
  /** Pixels of the cell that differ more than their own noise, as a fraction of the cell. */
  readonly changed: Float32Array
  /** Mean of the cell's differences, grey levels with sign. */
  readonly mean: Float32Array
}

/** The background follows what rests within seconds, and what moves slowly, so that a person does not melt into it at once. */
const REST_TAU_MS = 3_000
const MOVED_TAU_MS = 20_000
/** A large change that then stands still is another scene (a light, a parked lorry): learnt faster. */
const SETTLED_TAU_MS = 700
/** A pixel's own noise counts this many times: a mean absolute difference is 0.8 of a standard deviation. */
const NOISE_FACTOR = 3
/** Noise is forgotten more slowly than a clock ticks or a branch comes back. */
const NOISE_TAU_MS = 10_000
/** What never rests (a burnt-in clock, a branch) becomes noise too, but slower than a person stays in one place. */
const MOVED_NOISE_TAU_MS = 30_000
const FIRST_NOISE = 2
/** Grey levels that the background may have in thought while the picture is saturated. */
const MOST_LIGHT = 400

const share = (elapsedMs: number, tauMs: number) => 1 - Math.exp(-elapsedMs / tauMs)

/**
 * The background of one still camera: for each pixel a running value (twice: slopes need the old one while the new one is written) and a running noise, 12 bytes. Light, exposure and shake of
 * the whole picture are fitted and taken out before pixels are compared, and the background is moved along with the light.
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
     * Compares and learns. `settled`: the large change of the last pictures stands still. `moving`: above 0 for cells that moved in the
     * picture before, where the background is in no hurry to follow.
     */
    compare(gray: Uint8Array, elapsedMs: number, settled: boolean, moving: Float32Array): Difference {
      const fit = fitting.fit(gray, values)
      const { gain, offset, shiftX, shiftY, dx, dy } = fit
      const follow = share(elapsedMs, REST_TAU_MS)
      const followMoved = share(elapsedMs, settled ? SETTLED_TAU_MS : MOVED_TAU_MS)
      const followNoise = share(elapsedMs, NOISE_TAU_MS)
      const followMovedNoise = share(elapsedMs, MOVED_NOISE_TAU_MS)
      // More gain is more noise.
      const least = threshold * Math.max(1, gain)
      const grains = NOISE_FACTOR * Math.max(1, gain)
      changed.fill(0)
      mean.fill(0)
      if (shiftX !== 0 || shiftY !== 0)
        for (let at = 0; at < values.length; at++) next[at] = gain * (values[at] as number) + offset
      // At the border that a shift uncovers nothing is known, nor are there slopes in the outermost pixels.
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
          // What is blinding white now is not known any darker when the exposure comes back.
          const blinded = value >= 253 && carried > value
          const pace = moved || (moving[cell] as number) > 0 ? followMoved : follow
          next[at] = blinded ? Math.min(carried, MOST_LIGHT) : carried + (value - carried) * pace
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

    /** Another scene: this picture is the background from now on. */
    begin(gray: Uint8Array): void {
      values.set(gray)
      noise.fill(FIRST_NOISE)
    },

    /** Another scene that is still finding its exposure: half way towards this picture, noise included. */
    settle(gray: Uint8Array): void {
      for (let at = 0; at < values.length; at++) {
        const apart = (gray[at] as number) - (values[at] as number)
        values[at] = (values[at] as number) + apart / 2
        noise[at] = Math.max(noise[at] as number, Math.abs(apart) / 2)
      }
    },
  }
}
