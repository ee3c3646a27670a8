import type { Box } from '@vigia/ias/geometry'
import { createBackground } from './background.ts'
import { createCellGrid, markedFraction, markedOverlap, markedRegions } from './motion-cells.ts'
import { createClutter } from './motion-clutter.ts'
import { createMotionStrength } from './motion-strength.ts'

export interface MotionOptions {
  /** Least difference of brightness (0–255) that counts, above the measured noise of the pixel. */
  readonly threshold?: number
  /** How long the gate stays open after the last motion, ms of stream time. */
  readonly holdMs?: number
}

/** Stays true after the next `update`. */
export interface Motion {
  /** Something moved now or within `holdMs`, or cannot be told yet: look at this frame. */
  readonly active: boolean
  /** Fraction of the frame that moved now, 0–1. */
  readonly moved: number
  /** Most of the picture changed at once (lights, infrared filter, camera turned): it says nothing about single places. */
  readonly global: boolean
  /** Where it moved, near places joined, the largest first, at most 8; fractions of the frame. */
  readonly regions: readonly Box[]
  /** Fraction of the box's area that moved now, 0–1. `box` in fractions of the frame. */
  overlap(box: Box): number
}

export interface MotionGate {
  /** `gray`: one byte a pixel, packed rows, about 160–320 pixels wide. `timestampMs`: stream time. Not kept after the call. */
  update(gray: Uint8Array, width: number, height: number, timestampMs: number): Motion
}

/** The picture is judged in this many columns of square cells: a cell is about a head at the far end of a yard. */
const COLUMNS = 40
/** Above this fraction of changed cells the change is global. */
const GLOBAL_FRACTION = 0.6
/** After a global change the exposure still moves for so long, and a smaller change belongs to it. */
const SETTLING_MS = 2_500
const SETTLING_FRACTION = 0.1
/** A change of this size that stands still for so long is another scene, to be learnt soon. */
const LARGE_FRACTION = 0.2
const LEARNT_FRACTION = 0.02
const STANDS_MS = 1_000
/** And then is no longer learnt in haste: who walks there meanwhile must not melt. */
const LEARNING_MS = 6_000
/** Regions with so many resting cells between them are one. */
const REGION_GAP = 1
const MOST_REGIONS = 8
/** A pause longer than this makes the background worthless: begin again. */
const STALE_MS = 10_000

/**
 * Tells where a still camera's picture changes, and that rain, light and a shaken pole are no change. Pure: time comes in with the frame.
 *
 * Picture against background, light and shake taken out (`background`) → what moved in each cell (`motion-strength`) → what of it is
 * more than clutter (`motion-clutter`). About 270 kB for a camera at 160x120.
 */
export function createMotionGate(options: MotionOptions = {}): MotionGate {
  const { threshold = 14, holdMs = 2_000 } = options
  let model: ReturnType<typeof createModel> | null = null
  let activeUntilMs = -Infinity

  function createModel(gray: Uint8Array, width: number, height: number, timestampMs: number) {
    const grid = createCellGrid(width, height, COLUMNS)
    return {
      grid,
      background: createBackground(gray, grid, threshold),
      strength: createMotionStrength(grid),
      clutter: createClutter(grid),
      lastMs: timestampMs,
      settlingUntilMs: -Infinity,
      /** Since when a large part differs from the background without moving; null: it does not. */
      standsSinceMs: null as number | null,
    }
  }

  const nowhere = (timestampMs: number, global: boolean): Motion => ({
    active: timestampMs <= activeUntilMs,
    moved: global ? 1 : 0,
    global,
    regions: [],
    overlap: () => 0,
  })

  return {
    update(gray, width, height, timestampMs) {
      if (gray.length !== width * height) throw new RangeError(`${gray.length} bytes for ${width}x${height} pixels`)
      const elapsed = model ? timestampMs - model.lastMs : 0
      const same = model && model.grid.width === width && model.grid.height === height
      if (!model || !same || elapsed < 0 || elapsed > STALE_MS) {
        model = createModel(gray, width, height, timestampMs)
        // What stands there already cannot be told from the background: let the detector look once.
        activeUntilMs = timestampMs
        return nowhere(timestampMs, false)
      }
      const { grid, background, strength, clutter } = model
      model.lastMs = timestampMs
      if (model.standsSinceMs !== null && timestampMs - model.standsSinceMs > LEARNING_MS) model.standsSinceMs = null
      const stood = model.standsSinceMs === null ? 0 : timestampMs - model.standsSinceMs
      const settled = stood >= STANDS_MS
      const { cells, changed, restless } = strength.judge(background.compare(gray, elapsed, settled, strength.last))

      const settling = timestampMs <= model.settlingUntilMs
      if (changed > GLOBAL_FRACTION || (settling && changed > SETTLING_FRACTION)) {
        if (settling) background.settle(gray)
        else {
          background.begin(gray)
          model.settlingUntilMs = timestampMs + SETTLING_MS
        }
        model.standsSinceMs = null
        activeUntilMs = timestampMs + holdMs
        return nowhere(timestampMs, true)
      }
      // While it is learnt in haste the difference shrinks, which is no movement.
      const still = settled || restless < Math.max(0.05, changed / 3)
      const stands = still && changed > (stood > 0 ? LEARNT_FRACTION : LARGE_FRACTION)
      model.standsSinceMs = stands ? (model.standsSinceMs ?? timestampMs) : null

      const mask = new Uint8Array(grid.count)
      clutter.judge(cells, elapsed, mask)
      const moved = markedFraction(mask, grid)
      if (moved > 0) activeUntilMs = timestampMs + holdMs
      return {
        active: timestampMs <= activeUntilMs,
        moved,
        global: false,
        regions: markedRegions(mask, grid, REGION_GAP, MOST_REGIONS),
        overlap: (box) => markedOverlap(mask, grid, box),
      }
    },
  }
}
