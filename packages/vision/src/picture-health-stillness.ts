const CELL = 4
/** Cells darker or brighter than this are clipped and show no noise. */
const DARKEST = 24
const BRIGHTEST = 240
/** Least fraction of usable cells for a result. */
const LEAST_JUDGEABLE = 0.1
/**
 * Times without any changed grey level in a cell for the values 0 and 1. Surveillance cameras send a keyframe every
 * 1–10 s, with "smart" codecs up to about 20 s. Each keyframe changes pixels slightly, as does the sensor's noise.
 */
const FROZEN_FROM_MS = 25_000
const FROZEN_MS = 45_000

/**
 * Detects a frozen picture: the recorder repeats the last one, perhaps with its own running clock. A camera that always
 * sends the same picture (a test picture) counts as frozen. Stores the previous picture and the time of each cell's
 * last change (24 kB).
 */
export function createStillness(first: Uint8Array, width: number, height: number, timestampMs: number) {
  const columns = Math.ceil(width / CELL)
  const rows = Math.ceil(height / CELL)
  const before = Uint8Array.from(first)
  const changedMs = new Float64Array(columns * rows).fill(timestampMs)
  const means = new Float32Array(columns * rows)
  let lastMs = timestampMs

  return {
    /** Confidence that the picture is frozen, 0–1. */
    frozen(gray: Uint8Array, frameMs: number): number {
      // A pause of the stream is no evidence of a frozen picture.
      if (frameMs < lastMs || frameMs - lastMs > FROZEN_FROM_MS / 5) changedMs.fill(frameMs)
      lastMs = frameMs
      means.fill(0)
      for (let y = 0, at = 0; y < height; y++) {
        const row = Math.floor(y / CELL) * columns
        for (let x = 0; x < width; x++, at++) {
          const cell = row + (x >> 2)
          const value = gray[at] as number
          means[cell] = (means[cell] as number) + value
          if (value !== before[at]) {
            before[at] = value
            changedMs[cell] = frameMs
          }
        }
      }
      let [judged, standing, oldest] = [0, 0, 0]
      for (let cell = 0; cell < changedMs.length; cell++) {
        const mean = (means[cell] as number) / (CELL * CELL)
        if (mean < DARKEST || mean > BRIGHTEST) continue
        judged++
        const age = frameMs - (changedMs[cell] as number)
        if (age < FROZEN_FROM_MS) continue
        standing++
        oldest += Math.min(FROZEN_MS, age)
      }
      if (judged < LEAST_JUDGEABLE * changedMs.length || standing === 0) return 0
      // The recorder's own clock may run: about one cell in a hundred.
      const almostAll = Math.min(1, Math.max(0, (standing / judged - 0.95) / 0.03))
      return (almostAll * (oldest / standing - FROZEN_FROM_MS)) / (FROZEN_MS - FROZEN_FROM_MS)
    },
  }
}
