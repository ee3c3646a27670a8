import type { Box } from '@vigia/ias/geometry'
import { createBackground } from './background.ts'
import { createCellGrid, markedFraction, markedOverlap, markedRegions } from './motion-cells.ts'
import { createClutter } from './motion-clutter.ts'
import { createMotionStrength } from './motion-strength.ts'

export interface MotionOptions {
  /** Minimum brightness difference above the measured noise of the pixel, grey levels. */
  readonly threshold?: number
  /** Time for which the gate stays open after the last motion, stream time. */
  readonly holdMs?: number
}

/** Stays valid after the next `update`. */
export interface Motion {
  /** Whether this frame needs an inference: motion now or within `holdMs`, or no background yet. */
  readonly active: boolean
  /** Fraction of the frame that moves now, 0–1. */
  readonly moved: number
  /**
   * Most of the picture changed at once (lights, infrared filter, turned camera), so there is no evidence for single
   * regions.
   */
  readonly global: boolean
  /** Moving regions, near ones joined, the largest first, at most 8; fractions of the frame. */
  readonly regions: readonly Box[]
  /** Fraction of the box's area that moves now, 0–1. `box` in fractions of the frame. */
  overlap(box: Box): number
}

export interface MotionGate {
  /**
   * `gray`: packed rows, one byte a pixel, about 160–320 pixels wide. `timestampMs`: stream time. Not kept after the
   * call.
   */
  update(gray: Uint8Array, width: number, height: number, timestampMs: number): Motion
}

/** Columns of square cells: a cell is about a head at the far end of a yard. */
const COLUMNS = 40
/** Above this fraction of changed cells the change is global. */
const GLOBAL_FRACTION = 0.6
/** For this time after a global change the exposure settles, and a change above SETTLING_FRACTION belongs to it. */
const SETTLING_MS = 2_500
const SETTLING_FRACTION = 0.1
/** A change above LARGE_FRACTION that stands still for STANDS_MS is a new scene and is learnt fast. */
const LARGE_FRACTION = 0.2
const LEARNT_FRACTION = 0.02
const STANDS_MS = 1_000
/** End of fast learning, so that a person who walks there is not absorbed. */
const LEARNING_MS = 6_000
/** Regions with at most this many still cells between them are joined. */
const REGION_GAP = 1
const MOST_REGIONS = 8
/** A pause longer than this invalidates the background. */
const STALE_MS = 10_000

/**
 * Finds motion in the picture of a fixed camera and ignores rain, light and a shaking pole. It is deterministic,
 * because the time comes with the frame.
 *
 * Steps: difference from the background without light and shake (`background`), motion of each cell
 * (`motion-strength`), removal of clutter (`motion-clutter`). About 270 kB for a camera at 160x120.
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
      /** Start of a large difference from the background without movement; null: none. */
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
        // Objects already in the scene do not differ from the background: the first frame needs an inference.
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
      // Fast learning shrinks the difference, so this change is no movement.
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
