import { type Box, clip } from '@vigia/ias/geometry'
import { createFireHistory } from './fire-evidence-history.ts'
import { shakeSwing } from './fire-evidence-shake.ts'
import { turningCounts } from './fire-evidence-turns.ts'
import { type CellGrid, createCellGrid, markedRegions } from './motion-cells.ts'

export interface FireSigns {
  /** Fire: how much of the place has flame colours. Smoke: how grey it is, and how far it hides what was there. 0–1. */
  readonly colour: number
  /** How restless the place is, each part of it in its own way, 0–1. */
  readonly flicker: number
}

export interface FireEvidence {
  /** `rgb`: packed rows, three bytes a pixel, about 160 pixels wide, the whole frame; not kept. `timestampMs`: stream time. */
  update(rgb: Uint8Array, width: number, height: number, timestampMs: number): void
  /** Places that are flame-coloured and restless; the largest first, at most 4; fractions of the frame. */
  restless(): readonly Box[]
  /** What the last 3 s say of a place; null: too few pictures yet. `box` in fractions of the frame. */
  of(label: 'fire' | 'smoke', box: Box): FireSigns | null
}

/** Cells across the picture: of 2x2 pixels at 160. */
const ACROSS = 80
/** A cell belongs to a flame when it had its colour in this fraction of the pictures: flames come and go. */
const BURNS = 0.25
/** A place with this fraction of flame-coloured pixels is as flame-coloured as any: boxes are larger than flames. */
const FULL_COLOUR = 0.25
/** Pictures over which colour is averaged: about a second. */
const COLOUR_PICTURES = 5
/** Least swing of brightness, grey levels, and in median changes of the whole picture's cells (noise). */
const SWING = { fire: 9, smoke: 5 } as const
const SWING_NOISE = 4
/** Fire: turns of brightness in a second, from which a place is restless at all, and fully (random: 3 at five pictures a second). */
const FLICKERS = [0.6, 1.8] as const
/** A flame of this few cells has no parts: some 30 pixels across at 768. */
const FEW_CELLS = 12
/** Smoke: share of cells that turned this often, from which it is restless at all, and fully. What passes turns a cell once. */
const SMOKE_TURNS = 2
const BILLOWS = [0.15, 0.5] as const
/** Cells looked at in one box, about. */
const MOST_CELLS = 400
/** Turns a second, of whatever cause, that are worth a look. */
const SUSPICIOUS = 1.2
const MOST_PLACES = 4

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

const ramp = (value: number, from: number, to: number) => Math.min(1, Math.max(0, (value - from) / (to - from)))

/**
 * What colour and movement say of fire and smoke, beside the detector. Restlessness follows Töreyin, Dedeoğlu, Güdükbay and Çetin 2006 ("Computer
 * vision based method for real-time fire and flame detection", Pattern Recognition Letters 27): a flame's brightness turns again and again at one
 * place. At five pictures a second its some 10 Hz are aliased, but random stays random. What all cells of a place do together (a blinking light, a
 * lamp going on, the exposure) is taken out first: the parts of a flame do not agree. About 400 kB for a camera at 160x120.
 *
 * Sparks of welding and grinding, a fire on a television and glitter of a low sun on water look like fire to this; steam looks like smoke.
 */
export function createFireEvidence(): FireEvidence {
  /** `shake`: as of the last picture; null: not asked for yet. */
  let place: { grid: CellGrid; history: ReturnType<typeof createFireHistory>; shake: Float32Array | null } | null = null

  /** Median change of a cell between the last two pictures, grey levels. */
  function noise({ grid, history }: NonNullable<typeof place>): number {
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

  /** How far a cell's brightness must go to count as a swing, grey levels. */
  function swings(known: NonNullable<typeof place>, pictures: number, label: 'fire' | 'smoke') {
    const least = Math.max(SWING[label], SWING_NOISE * noise(known))
    return (cell: number) => {
      known.shake ??= shakeSwing(known.grid, known.history, pictures)
      return Math.max(least, known.shake[cell] as number)
    }
  }

  return {
    update(rgb, width, height, timestampMs) {
      if (rgb.length !== 3 * width * height) throw new RangeError(`${rgb.length} bytes for ${width}x${height} pixels`)
      if (place?.grid.width !== width || place.grid.height !== height) {
        const grid = createCellGrid(width, height, ACROSS)
        place = { grid, history: createFireHistory(grid), shake: null }
      }
      place.history.add(rgb, timestampMs)
      place.shake = null
    },

    restless() {
      const pictures = place?.history.usable() ?? 0
      if (!place || pictures === 0) return []
      const { grid, history } = place
      const least = Math.max(2, BURNS * pictures)
      const swing = swings(place, pictures, 'fire')
      const seconds = history.spanMs(pictures) / 1000
      const mask = new Uint8Array(grid.count)
      for (let cell = 0; cell < grid.count; cell++) {
        if ((history.burning[cell] as number) < least) continue
        const [turns = 0] = turningCounts(history.level, pictures, [cell], swing, false)
        if (turns >= SUSPICIOUS * seconds) mask[cell] = 1
      }
      return markedRegions(mask, grid, 2, MOST_PLACES)
    },

    of(label, box) {
      const pictures = place?.history.usable() ?? 0
      if (!place || pictures === 0) return null
      const cells = cellsIn(place.grid, box)
      const swing = swings(place, pictures, label)
      const { history, grid } = place
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
        // So few cells are one light or one flame, and can not disagree: it stays open which of them it is.
        const most = turningCounts(history.level, pictures, burning, swing, false).sort((one, other) => other - one)
        flicker = Math.max(flicker, ramp(mean(most.slice(0, FEW_CELLS / 4)) / seconds, ...FLICKERS) / 2)
      }
      return { colour: flameColour(history, grid, cells), flicker }
    },
  }
}

/** Where to look for a flame whose restless part is `box`: flames are higher than that, and a model wants to see what burns. */
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

/** Colourfulness (largest minus smallest of R, G and B) up to which a cell is grey, and the brightness of smoke (Chen et al. 2006, ICIP). */
const GREY = 40
const DARKEST_SMOKE = 50
const BRIGHTEST_SMOKE = 245
/** Grey alone may be a road: so much of the evidence it is. The rest is that it hides what was there. */
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

/** Cells whose middle lies in the box, thinned out evenly; at least one. */
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
