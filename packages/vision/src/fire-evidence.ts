import { type Box, clip } from '@vigia/ias/geometry'
import { createFireHistory } from './fire-evidence-history.ts'
import { shakeSwing } from './fire-evidence-shake.ts'
import { turningCounts } from './fire-evidence-turns.ts'
import { type CellGrid, createCellGrid, markedRegions } from './motion-cells.ts'

export interface FireSigns {
  /** Fire: share of flame colours in the region. Smoke: share of grey, and of background that it hides. 0–1. */
  readonly colour: number
  /** Independent brightness changes of the region's parts, 0–1. */
  readonly flicker: number
}

export interface FireEvidence {
  /**
   * `rgb`: the whole frame in packed rows, three bytes a pixel, about 160 pixels wide; not kept after the call.
   * `timestampMs`: stream time.
   */
  update(rgb: Uint8Array, width: number, height: number, timestampMs: number): void
  /** Flickering regions of flame colours, in fractions of the frame; the largest first, at most 4. */
  restless(): readonly Box[]
  /**
   * Signs of fire or smoke in a region over the last 3 s; null: too few pictures yet. `box` in fractions of the frame.
   */
  of(label: 'fire' | 'smoke', box: Box): FireSigns | null
}

/** Cells per row: 2x2 pixels at a width of 160. */
const ACROSS = 80
/** Least fraction of the pictures in which a cell of a flame has flame colours: flames come and go. */
const BURNS = 0.25
/** Fraction of flame-coloured pixels that yields the colour 1: boxes are larger than flames. */
const FULL_COLOUR = 0.25
/** Number of pictures over which colour is averaged: about a second. */
const COLOUR_PICTURES = 5
/** Least brightness swing: in grey levels, and as a multiple of the median change of all cells (noise). */
const SWING = { fire: 9, smoke: 5 } as const
const SWING_NOISE = 4
/** Fire: turning points a second for flicker 0 and 1 (a random series has 3 at five pictures a second). */
const FLICKERS = [0.6, 1.8] as const
/** A flame of at most this many cells has no separate parts: about 30 pixels across at a width of 768. */
const FEW_CELLS = 12
/**
 * Smoke: least turning points of a counted cell, and the share of such cells for flicker 0 and 1. A passing object
 * turns a cell once.
 */
const SMOKE_TURNS = 2
const BILLOWS = [0.15, 0.5] as const
/** Approximate number of cells sampled in one box. */
const MOST_CELLS = 400
/** Turning points a second, of any cause, that make a region worth an inference. */
const SUSPICIOUS = 1.2
const MOST_REGIONS = 4

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

const ramp = (value: number, from: number, to: number) => Math.min(1, Math.max(0, (value - from) / (to - from)))

/**
 * Evidence of fire and smoke from colour and movement, in addition to the detector. Flicker follows Töreyin, Dedeoğlu,
 * Güdükbay and Çetin 2006, "Computer vision based method for real-time fire and flame detection", Pattern Recognition
 * Letters 27. The brightness of a flame turns repeatedly at one position. Its frequency of about 10 Hz is aliased at
 * five pictures a second, but stays random. The parts of a flame change independently. Therefore the common signal of a
 * region (a blinking light, a lamp, the exposure) is removed first. About 400 kB for a camera at 160x120.
 *
 * Known false positives: sparks of welding and grinding, fire on a television, glitter of a low sun on water; for
 * smoke: steam.
 */
export function createFireEvidence(): FireEvidence {
  /** `shake`: value of the last picture, computed on demand; null: not computed yet. */
  let scene: { grid: CellGrid; history: ReturnType<typeof createFireHistory>; shake: Float32Array | null } | null = null

  /** Median change of a cell between the last two pictures, grey levels. */
  function noise({ grid, history }: NonNullable<typeof scene>): number {
    const [now, before] = [history.level(0), history.level(1)]
    const changes = new Uint32Array(256)
    for (let cell = 0; cell < grid.count; cell++) {
      const change = Math.abs((now[cell] as number) - (before[cell] as number))
      changes[change] = (changes[change] as number) + 1
    }
    let seen = 0
    for (let change = 0; change < 256; change++) {
      seen += changes[change] as number
      if (2 * seen >= grid.count) return change
    }
    return 0
  }

  /** Least brightness swing of a cell, grey levels. */
  function swings(known: NonNullable<typeof scene>, pictures: number, label: 'fire' | 'smoke') {
    const least = Math.max(SWING[label], SWING_NOISE * noise(known))
    return (cell: number) => {
      known.shake ??= shakeSwing(known.grid, known.history, pictures)
      return Math.max(least, known.shake[cell] as number)
    }
  }

  return {
    update(rgb, width, height, timestampMs) {
      if (rgb.length !== 3 * width * height) throw new RangeError(`${rgb.length} bytes for ${width}x${height} pixels`)
      if (scene?.grid.width !== width || scene.grid.height !== height) {
        const grid = createCellGrid(width, height, ACROSS)
        scene = { grid, history: createFireHistory(grid), shake: null }
      }
      scene.history.add(rgb, timestampMs)
      scene.shake = null
    },

    restless() {
      const pictures = scene?.history.usable() ?? 0
      if (!scene || pictures === 0) return []
      const { grid, history } = scene
      const least = Math.max(2, BURNS * pictures)
      const swing = swings(scene, pictures, 'fire')
      const seconds = history.spanMs(pictures) / 1000
      const mask = new Uint8Array(grid.count)
      for (let cell = 0; cell < grid.count; cell++) {
        if ((history.burning[cell] as number) < least) continue
        const [turns = 0] = turningCounts(history.level, pictures, [cell], swing, false)
        if (turns >= SUSPICIOUS * seconds) mask[cell] = 1
      }
      return markedRegions(mask, grid, 2, MOST_REGIONS)
    },

    of(label, box) {
      const pictures = scene?.history.usable() ?? 0
      if (!scene || pictures === 0) return null
      const cells = cellsIn(scene.grid, box)
      const swing = swings(scene, pictures, label)
      const { history, grid } = scene
      if (label === 'smoke') {
        const counts = turningCounts(history.level, pictures, cells, swing, false)
        const restless = counts.filter((turns) => turns >= SMOKE_TURNS).length / cells.length
        return { colour: smokeColour(history, cells), flicker: ramp(restless, ...BILLOWS) }
      }
      const burning = cells.filter((cell) => (history.burning[cell] as number) >= BURNS * pictures)
      const seconds = history.spanMs(pictures) / 1000
      const counts = turningCounts(history.level, pictures, burning, swing, true)
      let flicker = ramp(mean(counts) / seconds, ...FLICKERS)
      if (burning.length <= FEW_CELLS) {
        // So few cells may be one light or one flame and cannot change independently: the result stays undecided.
        const most = turningCounts(history.level, pictures, burning, swing, false).sort((one, other) => other - one)
        flicker = Math.max(flicker, ramp(mean(most.slice(0, FEW_CELLS / 4)) / seconds, ...FLICKERS) / 2)
      }
      return { colour: flameColour(history, grid, cells), flicker }
    },
  }
}

/** Region for an inference on the flickering box `box`: flames are higher, and the model needs the burning object. */
export const aroundFlame = ({ x, y, w, h }: Box): Box => clip({ x: x - w / 2, y: y - h, w: 2 * w, h: 2.5 * h })

type History = ReturnType<typeof createFireHistory>

function flameColour(history: History, { size }: CellGrid, cells: readonly number[]): number {
  let flaming = 0
  for (let age = 0; age < COLOUR_PICTURES; age++) {
    const flame = history.flame(age)
    for (const cell of cells) flaming += flame[cell] as number
  }
  const share = flaming / (COLOUR_PICTURES * cells.length * size * size)
  return Math.min(1, share / FULL_COLOUR)
}

/**
 * Largest chroma of a grey cell (largest minus smallest of R, G and B), and the brightness range of smoke (Chen et al.
 * 2006, ICIP).
 */
const GREY = 40
const DARKEST_SMOKE = 50
const BRIGHTEST_SMOKE = 245
/** Weight of grey in the evidence, because a road is grey too. The rest is the share of hidden background. */
const GREY_ALONE = 0.4

function smokeColour({ now, before }: History, cells: readonly number[]): number {
  let [grey, veiled] = [0, 0]
  for (const cell of cells) {
    const level = now.level[cell] as number
    const chroma = now.chroma[cell] as number
    if (chroma > GREY || level < DARKEST_SMOKE || level > BRIGHTEST_SMOKE) continue
    grey++
    const [oldChroma, oldDetail] = [before.chroma[cell] as number, before.detail[cell] as number]
    const faded = oldDetail > 8 && (now.detail[cell] as number) < 0.7 * oldDetail
    const bleached = oldChroma > 25 && chroma < 0.7 * oldChroma
    if (faded || bleached || Math.abs(level - (before.level[cell] as number)) > 12) veiled++
  }
  return (GREY_ALONE * grey + (1 - GREY_ALONE) * veiled) / cells.length
}

/** Evenly sampled cells of the box; at least one. */
function cellsIn({ columns, rows, size, width, height }: CellGrid, box: Box): number[] {
  const index = (fraction: number, limit: number, most: number) =>
    Math.min(most - 1, Math.max(0, Math.floor((fraction * limit) / size)))
  const [left, right] = [index(box.x, width, columns), index(box.x + box.w, width, columns)]
  const [top, bottom] = [index(box.y, height, rows), index(box.y + box.h, height, rows)]
  const step = Math.max(1, Math.floor(Math.sqrt(((right - left + 1) * (bottom - top + 1)) / MOST_CELLS)))
  const cells: number[] = []
  for (let row = top; row <= bottom; row += step) {
    for (let column = left; column <= right; column += step) cells.push(row * columns + column)
  }
  return cells
}
