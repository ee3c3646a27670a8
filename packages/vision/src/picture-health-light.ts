/** Brightness distribution of a picture; grey levels 0–255, fractions 0–1. */
export interface Light {
  readonly mean: number
  /** 5th, 95th and 99.5th percentile. */
  readonly low: number
  readonly high: number
  readonly brightest: number
  /** Fraction of saturated pixels. */
  readonly saturated: number
}

const SATURATED = 248

/** Measures the brightness of pictures; reuses one histogram. */
export function createLightMeter() {
  const bins = new Uint32Array(256)
  return (gray: Uint8Array): Light => {
    bins.fill(0)
    for (let index = 0; index < gray.length; index++) {
      const value = gray[index] as number
      bins[value] = (bins[value] as number) + 1
    }
    let [sum, seen, saturated] = [0, 0, 0]
    let [low, high, brightest] = [-1, -1, -1]
    for (let value = 0; value < 256; value++) {
      const count = bins[value] as number
      sum += count * value
      seen += count
      if (value >= SATURATED) saturated += count
      if (low < 0 && seen >= 0.05 * gray.length) low = value
      if (high < 0 && seen >= 0.95 * gray.length) high = value
      if (brightest < 0 && seen >= 0.995 * gray.length) brightest = value
    }
    return { mean: sum / gray.length, low, high, brightest, saturated: saturated / gray.length }
  }
}
