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

/** Boxes in fractions of the frame. People and vehicles hide background and change brightness, as smoke does. */
export interface Passing {
  readonly people: readonly Box[]
  /** Without those at rest. A vehicle may burn, so it counts for smoke only. */
  readonly vehicles: readonly Box[]
}

export interface FireEvidence {
  /**
   * `rgb`: the whole frame in packed rows, three bytes a pixel, about 160 pixels wide; not kept after the call.
   * `timestampMs`: stream time.
   */
  update(rgb: Uint8Array, width: number, height: number, timestampMs: number, passing?: Passing): void
  /** Flickering regions of flame colours, in fractions of the frame; the largest first, at most 4. */
  restless(): readonly Box[]
  /**
   * Signs of fire or smoke in a region over the last 3 s; null: too few pictures yet. `box` in fractions of the frame.
   */
  of(label: 'fire' | 'smoke', box: Box): FireSigns | null
}

/** Cells per row: 2x2 pixels at a width of 160. */
const ACROSS = 80
/** Minimum fraction of the pictures in which a cell of a flame has flame colours: flames come and go. */
const BURNS = 0.25
/** Fraction of flame-coloured pixels that yields the colour 1: boxes are larger than flames. */
const FULL_COLOUR = 0.25
/** Number of pictures over which colour is averaged: about a second. */
const COLOUR_PICTURES = 5
/** Minimum brightness swing: in grey levels, and as a multiple of the median change of all cells (noise). */
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
/** Time for which a cell does not count after something covered it; longer than the flicker window. */
const PASSED_MS = 4_000
/** Margin around a passing object for its shadow and the error of its box, as a fraction of its size. */
const PASSING_MARGIN = 0.15
/** Minimum share of a region that the signs of smoke are divided by: a few free cells are no cloud. */
const LEAST_FREE = 0.5
/**
 * Slow smoke does not turn a cell in 3 s, but changes its brightness. The share of such cells for the undecided flicker
 * SLOW (fire-score.ts of the ias package). An object or a shadow at rest changes nothing.
 */
const DRIFTS = [0.1, 0.4] as const
const SLOW = 0.2
/** Fire: largest flicker of a region that people cover; it is undecided (fire-score.ts of the ias package). */
const COVERED_FLICKER = 0.3
/** Number of pictures whose mean is compared: less noise. */
const ENDS = 4
/** Approximate number of cells sampled in one box. */
const MOST_CELLS = 400
/** Turning points a second, of any cause, that make a region worth an inference. */
const SUSPICIOUS = 1.2
const MOST_REGIONS = 4

const NOTHING_YET = { shake: null, drift: null, noise: null } as const

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
  /** `shake`, `drift`, `noise`: values of the last picture, computed on demand; null: not computed yet. */
  let scene: {
    readonly grid: CellGrid
    readonly history: History
    /** Time of the last person, and of the last person or vehicle, at each cell. */
    readonly walkedAtMs: Float64Array
    readonly passedAtMs: Float64Array
    shake: Float32Array | null
    drift: Float32Array | null
    noise: number | null
  } | null = null
  let latestMs = 0

  const isFree = (times: Float64Array) => (cell: number) => latestMs - (times[cell] as number) > PASSED_MS

  /** Minimum brightness swing of a cell, grey levels. */
  function swings(known: NonNullable<typeof scene>, pictures: number, label: 'fire' | 'smoke') {
    known.noise ??= noiseOf(known.grid, known.history)
    const least = Math.max(SWING[label], SWING_NOISE * known.noise)
    return (cell: number) => {
      known.shake ??= shakeSwing(known.grid, known.history, pictures)
      return Math.max(least, known.shake[cell] as number)
    }
  }

  /** Change of each cell between the ends of the last pictures, grey levels. */
  function drifts(known: NonNullable<typeof scene>, pictures: number): Float32Array {
    known.drift ??= driftOf(known.history, known.grid.count, pictures)
    return known.drift
  }

  return {
    update(rgb, width, height, timestampMs, { people, vehicles } = { people: [], vehicles: [] }) {
      if (rgb.length !== 3 * width * height) throw new RangeError(`${rgb.length} bytes for ${width}x${height} pixels`)
      if (scene?.grid.width !== width || scene.grid.height !== height) {
        const grid = createCellGrid(width, height, ACROSS)
        const never = () => new Float64Array(grid.count).fill(Number.NEGATIVE_INFINITY)
        scene = { grid, history: createFireHistory(grid), walkedAtMs: never(), passedAtMs: never(), ...NOTHING_YET }
      }
      const { grid, walkedAtMs, passedAtMs } = scene
      if (timestampMs < latestMs) for (const times of [walkedAtMs, passedAtMs]) times.fill(Number.NEGATIVE_INFINITY)
      latestMs = timestampMs
      for (const box of people) for (const cell of coveredBy(box, grid)) walkedAtMs[cell] = timestampMs
      for (const box of [...people, ...vehicles])
        for (const cell of coveredBy(box, grid)) passedAtMs[cell] = timestampMs
      scene.history.add(rgb, timestampMs)
      Object.assign(scene, NOTHING_YET)
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
        if ((history.burning[cell] as number) < least || isAtEdge(grid, cell)) continue
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
        const free = cells.filter(isFree(scene.passedAtMs))
        const counted = Math.max(free.length, LEAST_FREE * cells.length)
        const counts = turningCounts(history.level, pictures, free, swing, false)
        const restless = counts.filter((turns) => turns >= SMOKE_TURNS).length / counted
        const drift = drifts(scene, pictures)
        const drifting = free.filter((cell) => (drift[cell] as number) >= swing(cell))
        const slow = SLOW * ramp(drifting.length / counted, ...DRIFTS)
        const flicker = Math.max(ramp(restless, ...BILLOWS), slow)
        return { colour: smokeColour(history, free, counted), flicker }
      }
      const all = cells.filter((cell) => (history.burning[cell] as number) >= BURNS * pictures)
      const free = all.filter(isFree(scene.walkedAtMs))
      const isCovered = free.length < LEAST_FREE * all.length
      const burning = isCovered ? all : free
      const seconds = history.spanMs(pictures) / 1000
      const counts = turningCounts(history.level, pictures, burning, swing, true)
      let flicker = ramp(mean(counts) / seconds, ...FLICKERS)
      if (burning.length <= FEW_CELLS) {
        // So few cells may be one light or one flame and cannot change independently: the result stays undecided.
        const most = turningCounts(history.level, pictures, burning, swing, false).sort((one, other) => other - one)
        flicker = Math.max(flicker, ramp(mean(most.slice(0, FEW_CELLS / 4)) / seconds, ...FLICKERS) / 2)
      }
      return {
        colour: flameColour(history, grid, cells),
        flicker: isCovered ? Math.min(flicker, COVERED_FLICKER) : flicker,
      }
    },
  }
}

/** Median change of a cell between the last two pictures, grey levels. */
function noiseOf(grid: CellGrid, history: History): number {
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

/** Cells at the edge of the frame: an encoder that pads the picture makes them flicker in any colour. */
function isAtEdge({ columns, rows }: CellGrid, cell: number): boolean {
  const [column, row] = [cell % columns, Math.floor(cell / columns)]
  return column === 0 || row === 0 || column === columns - 1 || row === rows - 1
}

/**
 * Change of each cell between the means of the first and the last ENDS pictures, grey levels. The gain and the offset
 * of the whole frame are removed: exposure, fog and daylight change every cell.
 */
function driftOf(history: History, count: number, pictures: number): Float32Array {
  const ends = Math.min(ENDS, pictures >> 1)
  const meanFrom = (first: number) => {
    const sums = new Float32Array(count)
    for (let at = 0; at < ends; at++) {
      const level = history.level(first + at)
      for (let cell = 0; cell < count; cell++) sums[cell] = (sums[cell] as number) + (level[cell] as number) / ends
    }
    return sums
  }
  const [was, is] = [meanFrom(pictures - ends), meanFrom(0)]
  const average = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / count
  const [old, now] = [average(was), average(is)]
  let [spread, common] = [1e-6, 0]
  for (let cell = 0; cell < count; cell++) {
    spread += ((was[cell] as number) - old) ** 2
    common += ((was[cell] as number) - old) * ((is[cell] as number) - now)
  }
  const gain = common / spread
  return is.map((value, cell) => Math.abs(value - now - gain * ((was[cell] as number) - old)))
}

/** All cells of the box and of a margin for its shadow and its error. */
function coveredBy({ x, y, w, h }: Box, grid: CellGrid): number[] {
  const [across, down] = [w * PASSING_MARGIN, h * PASSING_MARGIN]
  return cellsIn(grid, { x: x - across, y: y - down, w: w + 2 * across, h: h + 2 * down }, grid.count)
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

function smokeColour({ now, before }: History, cells: readonly number[], counted: number): number {
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
  return (GREY_ALONE * grey + (1 - GREY_ALONE) * veiled) / counted
}

/** Evenly sampled cells of the box, about `most`; at least one. */
function cellsIn({ columns, rows, size, width, height }: CellGrid, box: Box, most = MOST_CELLS): number[] {
  const index = (fraction: number, limit: number, most: number) =>
    Math.min(most - 1, Math.max(0, Math.floor((fraction * limit) / size)))
  const [left, right] = [index(box.x, width, columns), index(box.x + box.w, width, columns)]
  const [top, bottom] = [index(box.y, height, rows), index(box.y + box.h, height, rows)]
  const step = Math.max(1, Math.floor(Math.sqrt(((right - left + 1) * (bottom - top + 1)) / most)))
  const cells: number[] = []
  for (let row = top; row <= bottom; row += step) {
    for (let column = left; column <= right; column += step) cells.push(row * columns + column)
  }
  return cells
}
