const CELL = 4
/** Cells darker or brighter than this are clipped: they have no noise to show. */
const DARKEST = 24
const BRIGHTEST = 240
/** With fewer judgeable cells than this fraction nothing can be said. */
const LEAST_JUDGEABLE = 0.1
/**
 * A cell that has not changed by one grey level in any pixel for so long is frozen. Keyframes come every 1–10 s in surveillance, up to
 * some 20 s in codecs that call themselves smart, and each of them changes pixels a little; so does the sensor's noise.
 */
const FROZEN_FROM_MS = 25_000
const FROZEN_MS = 45_000

/**
 * Looks for a picture that stands: the recorder goes on sending the last one, perhaps with its own running clock burnt in. A camera that sends the same
 * bytes on purpose (a drawn test picture) counts as frozen. Keeps the picture before and the time of each cell's last change (24 kB).
 */
export function createStillness(first: Uint8Array, width: number, height: number, timestampMs: number) {
  const columns = Math.ceil(width / CELL)
  const rows = Math.ceil(height / CELL)
  const before = Uint8Array.from(first)
  const changedMs = new Float64Array(columns * rows).fill(timestampMs)
  const means = new Float32Array(columns * rows)
  let lastMs = timestampMs

  return {
    /** 0–1: how sure it is that the picture stands. */
    frozen(gray: Uint8Array, nowMs: number): number {
      // A pause of the stream is no proof of a standing picture.
      if (nowMs < lastMs || nowMs - lastMs > FROZEN_FROM_MS / 5) changedMs.fill(nowMs)
      lastMs = nowMs
      means.fill(0)
      for (let y = 0, at = 0; y < height; y++) {
        const row = Math.floor(y / CELL) * columns
        for (let x = 0; x < width; x++, at++) {
          const cell = row + (x >> 2)
          const value = gray[at] as number
          means[cell] = (means[cell] as number) + value
          if (value !== before[at]) {
            before[at] = value
            changedMs[cell] = nowMs
          }
        }
      }
      let [judged, standing, oldest] = [0, 0, 0]
      for (let cell = 0; cell < changedMs.length; cell++) {
        const mean = (means[cell] as number) / (CELL * CELL)
        if (mean < DARKEST || mean > BRIGHTEST) continue
        judged++
        const age = nowMs - (changedMs[cell] as number)
        if (age < FROZEN_FROM_MS) continue
        standing++
        oldest += Math.min(FROZEN_MS, age)
      }
      if (judged < LEAST_JUDGEABLE * changedMs.length || standing === 0) return 0
      // The recorder's own clock may go on: about one cell in a hundred.
      const almostAll = Math.min(1, Math.max(0, (standing / judged - 0.95) / 0.03))
      return (almostAll * (oldest / standing - FROZEN_FROM_MS)) / (FROZEN_MS - FROZEN_FROM_MS)
    },
  }
}
