import { type ColourMeans, chromaBlue, chromaRed, isFlameColoured, luma } from './fire-evidence-colour.ts'
import type { CellGrid } from './motion-cells.ts'

/** Number of stored pictures: 3 s at five a second. */
const SLOTS = 16
/** Older pictures do not count for the current flicker. */
const WINDOW_MS = 5_000
/** Minimum of pictures and time for a result. */
const LEAST_SLOTS = 8
const LEAST_SPAN_MS = 1_300

/**
 * The last pictures in cells of 2x2 pixels: brightness and number of flame-coloured pixels. Smoke hides the background:
 * for it the history also has the appearance of each cell over the last second and minutes. Appearance is level, chroma
 * and difference to the neighbours.
 */
export function createFireHistory(grid: CellGrid) {
  const { width, height, size, columns, rows, count } = grid
  const levels = Array.from({ length: SLOTS }, () => new Uint8Array(count))
  const flames = Array.from({ length: SLOTS }, () => new Uint8Array(count))
  const times = new Float64Array(SLOTS).fill(-Infinity)
  /** Number of stored pictures in which the cell has flame-coloured pixels. */
  const burning = new Uint8Array(count)
  const now = createAppearance(count)
  const before = createAppearance(count)
  const chroma = new Float32Array(count)
  const means: ColourMeans = { luma: 128, blue: 0, red: 0 }
  let newest = -1
  let kept = 0

  /** Slot of the picture `age` pictures ago. */
  const slot = (age: number) => (newest - age + 2 * SLOTS) % SLOTS

  function forget(): void {
    kept = 0
    burning.fill(0)
    for (const flame of flames) flame.fill(0)
  }

  function take(rgb: Uint8Array, level: Uint8Array, flame: Uint8Array): void {
    const sums = { luma: 0, blue: 0, red: 0 }
    for (let row = 0, cell = 0; row < rows; row++) {
      const bottom = Math.min(height, (row + 1) * size)
      for (let column = 0; column < columns; column++, cell++) {
        const right = Math.min(width, (column + 1) * size)
        let [light, flaming, colourful] = [0, 0, 0]
        for (let y = row * size; y < bottom; y++) {
          for (let x = column * size, at = 3 * (y * width + x); x < right; x++, at += 3) {
            const [r, g, b] = [rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number]
            const value = luma(r, g, b)
            light += value
            sums.blue += chromaBlue(value, b)
            sums.red += chromaRed(value, r)
            colourful += Math.max(r, g, b) - Math.min(r, g, b)
            if (isFlameColoured(r, g, b, means)) flaming++
          }
        }
        sums.luma += light
        const area = (bottom - row * size) * (right - column * size)
        level[cell] = light / area
        flame[cell] = flaming
        chroma[cell] = colourful / area
      }
    }
    const pixels = width * height
    means.luma = sums.luma / pixels
    means.blue = sums.blue / pixels
    means.red = sums.red / pixels
  }

  function follow(appearance: Appearance, level: Uint8Array, weight: number): void {
    for (let cell = 0; cell < count; cell++) {
      const value = level[cell] as number
      const beside = (cell + 1) % columns === 0 ? value : (level[cell + 1] as number)
      const below = cell + columns < count ? (level[cell + columns] as number) : value
      const detail = Math.abs(value - beside) + Math.abs(value - below)
      appearance.level[cell] =
        (appearance.level[cell] as number) + (value - (appearance.level[cell] as number)) * weight
      appearance.chroma[cell] =
        (appearance.chroma[cell] as number) + ((chroma[cell] as number) - (appearance.chroma[cell] as number)) * weight
      appearance.detail[cell] =
        (appearance.detail[cell] as number) + (detail - (appearance.detail[cell] as number)) * weight
    }
  }

  return {
    burning,
    now,
    before,

    add(rgb: Uint8Array, timestampMs: number): void {
      const elapsed = newest < 0 ? 0 : timestampMs - (times[newest] as number)
      // The time goes back when a stream restarts.
      const begins = newest < 0 || elapsed < 0
      if (elapsed < 0 || elapsed > WINDOW_MS) forget()
      newest = (newest + 1) % SLOTS
      const [level, flame] = [levels[newest] as Uint8Array, flames[newest] as Uint8Array]
      for (let cell = 0; cell < count; cell++) if (flame[cell]) burning[cell] = (burning[cell] as number) - 1
      // The colour rule needs the means of the previous picture: the first picture is processed twice.
      if (begins) take(rgb, level, flame)
      take(rgb, level, flame)
      for (let cell = 0; cell < count; cell++) if (flame[cell]) burning[cell] = (burning[cell] as number) + 1
      times[newest] = timestampMs
      kept = Math.min(SLOTS, kept + 1)
      follow(now, level, begins ? 1 : 1 - Math.exp(-elapsed / 1_000))
      follow(before, level, begins ? 1 : 1 - Math.exp(-elapsed / BEFORE_TAU_MS))
    },

    /** Number of recent pictures that count; 0: too few. */
    usable(): number {
      let usable = 0
      const latest = newest < 0 ? 0 : (times[newest] as number)
      while (usable < kept && latest - (times[slot(usable)] as number) <= WINDOW_MS) usable++
      const span = usable > 0 ? latest - (times[slot(usable - 1)] as number) : 0
      return usable >= LEAST_SLOTS && span >= LEAST_SPAN_MS ? usable : 0
    },

    /** Time between the oldest and the newest of the last `pictures` pictures. */
    spanMs: (pictures: number) => (times[newest] as number) - (times[slot(pictures - 1)] as number),

    /** Brightness of every cell `age` pictures ago, and the number of its flame-coloured pixels. */
    level: (age: number) => levels[slot(age)] as Uint8Array,
    flame: (age: number) => flames[slot(age)] as Uint8Array,
  }
}

/** Time constant of the long-term appearance: a fire smokes for minutes. */
const BEFORE_TAU_MS = 5 * 60_000

interface Appearance {
  readonly level: Float32Array
  readonly chroma: Float32Array
  readonly detail: Float32Array
}

const createAppearance = (count: number): Appearance => ({
  level: new Float32Array(count),
  chroma: new Float32Array(count),
  detail: new Float32Array(count),
})
