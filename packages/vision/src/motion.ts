import type { Box } from './boxes.ts'

export interface MotionOptions {
  /** Least difference of brightness (0–255) that counts, above the measured noise of the pixel. */
  readonly threshold?: number
  /** How long the gate stays open after the last motion, ms of stream time. */
  readonly holdMs?: number
}

export interface Motion {
  /** Something moved now or within `holdMs`, or cannot be told yet: look at this frame. */
  readonly active: boolean
  /** Fraction of the frame that moved now, 0–1. */
  readonly moved: number
  /** Most of the picture changed at once (lights, infrared filter, camera turned): it says nothing about single places. */
  readonly global: boolean
  /** Fraction of the box's area that moved now, 0–1. `box` in fractions of the frame. */
  overlap(box: Box): number
}

export interface MotionGate {
  /** `gray`: one byte a pixel, packed rows, about 160–320 pixels wide. `timestampMs`: stream time. Kept until the next call only. */
  update(gray: Uint8Array, width: number, height: number, timestampMs: number): Motion
}

/** The picture is judged in this many columns of square cells: a cell is about a head at the far end of a yard. */
const COLUMNS = 40
/** A cell moved when this fraction of its pixels did: single noisy pixels never open the gate. */
const CELL_FRACTION = 0.3
/** Above this fraction of moved cells the change is global. */
const GLOBAL_FRACTION = 0.6
/** The background follows what rests within seconds, and what moves slowly, so that a person does not melt into it at once. */
const REST_TAU_MS = 3_000
const MOVED_TAU_MS = 20_000
/** A pixel's own noise counts this many times (about three standard deviations of a mean absolute difference). */
const NOISE_FACTOR = 4
const NOISE_TAU_MS = 5_000
/** What never rests (a burnt-in clock, a branch) becomes noise too, but slower than a person stays in one place. */
const MOVED_NOISE_TAU_MS = 30_000
/** A pause longer than this makes the background worthless: begin again. */
const STALE_MS = 10_000

/**
 * Tells where a still camera's picture changes. Each pixel has a running background and a running noise; the change of
 * brightness of the whole picture (a cloud, the exposure) is taken out before they are compared. Pure: time comes in with the frame.
 */
export function createMotionGate(options: MotionOptions = {}): MotionGate {
  const { threshold = 14, holdMs = 2_000 } = options
  let model: { width: number; height: number; background: Float32Array; noise: Float32Array; lastMs: number } | null =
    null
  let activeUntilMs = -Infinity

  function begin(gray: Uint8Array, width: number, height: number, timestampMs: number): Motion {
    const noise = new Float32Array(gray.length).fill(2)
    model = { width, height, background: Float32Array.from(gray), noise, lastMs: timestampMs }
    // What stands there already cannot be told from the background: let the detector look once.
    activeUntilMs = timestampMs
    return { active: true, moved: 0, global: false, overlap: () => 0 }
  }

  return {
    update(gray, width, height, timestampMs) {
      if (gray.length !== width * height) throw new RangeError(`${gray.length} bytes for ${width}x${height} pixels`)
      const elapsed = model ? timestampMs - model.lastMs : 0
      const usable = model && model.width === width && model.height === height && elapsed >= 0 && elapsed <= STALE_MS
      if (!model || !usable) return begin(gray, width, height, timestampMs)
      model.lastMs = timestampMs

      const { background, noise } = model
      const shift = brightnessShift(gray, background)
      const cells = createCells(width, height)
      const follow = 1 - Math.exp(-elapsed / REST_TAU_MS)
      const followMoved = 1 - Math.exp(-elapsed / MOVED_TAU_MS)
      const followNoise = 1 - Math.exp(-elapsed / NOISE_TAU_MS)
      const followMovedNoise = 1 - Math.exp(-elapsed / MOVED_NOISE_TAU_MS)
      for (let y = 0, index = 0; y < height; y++) {
        for (let x = 0; x < width; x++, index++) {
          const value = gray[index] ?? 0
          const before = background[index] ?? 0
          const grain = noise[index] ?? 0
          const difference = Math.abs(value - before - shift)
          const moved = difference > threshold + NOISE_FACTOR * grain
          if (moved) cells.count(x, y)
          noise[index] = grain + (difference - grain) * (moved ? followMovedNoise : followNoise)
          background[index] = before + (value - before) * (moved ? followMoved : follow)
        }
      }

      const mask = cells.finish()
      const global = mask.fraction > GLOBAL_FRACTION
      if (global) {
        background.set(gray)
        noise.fill(2)
      }
      if (mask.fraction > 0) activeUntilMs = timestampMs + holdMs
      return {
        active: timestampMs <= activeUntilMs,
        moved: mask.fraction,
        global,
        overlap: global ? () => 0 : mask.overlap,
      }
    },
  }
}

/** Median difference between picture and background: robust, since what moves is the smaller part of the picture. */
function brightnessShift(gray: Uint8Array, background: Float32Array): number {
  const histogram = new Uint32Array(511)
  for (let index = 0; index < gray.length; index++) {
    const bin = Math.round((gray[index] ?? 0) - (background[index] ?? 0)) + 255
    histogram[bin] = (histogram[bin] ?? 0) + 1
  }
  let seen = 0
  for (let bin = 0; bin < histogram.length; bin++) {
    seen += histogram[bin] ?? 0
    if (seen * 2 >= gray.length) return bin - 255
  }
  return 0
}

function createCells(width: number, height: number) {
  const size = Math.max(2, Math.round(width / COLUMNS))
  const columns = Math.ceil(width / size)
  const rows = Math.ceil(height / size)
  const counts = new Uint32Array(columns * rows)
  const extent = (index: number, limit: number) => Math.min(size, limit - index * size)

  return {
    count(x: number, y: number): void {
      const cell = Math.floor(y / size) * columns + Math.floor(x / size)
      counts[cell] = (counts[cell] ?? 0) + 1
    },
    finish() {
      const movedAt = (column: number, row: number) =>
        (counts[row * columns + column] ?? 0) >= CELL_FRACTION * extent(column, width) * extent(row, height)
      let area = 0
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          if (movedAt(column, row)) area += extent(column, width) * extent(row, height)
        }
      }
      return { fraction: area / (width * height), overlap: (box: Box) => overlap(box, movedAt) }
    },
  }

  function overlap(box: Box, movedAt: (column: number, row: number) => boolean): number {
    const [left, right] = [Math.max(0, box.x * width), Math.min(width, (box.x + box.w) * width)]
    const [top, bottom] = [Math.max(0, box.y * height), Math.min(height, (box.y + box.h) * height)]
    if (right <= left || bottom <= top) return 0
    let shared = 0
    for (let row = Math.floor(top / size); row * size < bottom; row++) {
      const high = Math.min(bottom, (row + 1) * size) - Math.max(top, row * size)
      for (let column = Math.floor(left / size); column * size < right; column++) {
        if (!movedAt(column, row)) continue
        shared += high * (Math.min(right, (column + 1) * size) - Math.max(left, column * size))
      }
    }
    return shared / ((right - left) * (bottom - top))
  }
}
