/**
 * Means of a picture for `isFlameColoured`, which applies two rules. Rule 1: red ≥ green ≥ blue with enough red and
 * saturation. Source: Chen, Wu, Chiou 2004, "An early fire-detection method based on image processing", ICIP. Rule 2:
 * redder, less blue and not much darker than the mean of the picture. Source: Çelik and Demirel 2009, "Fire detection
 * in video sequences using a generic color model", Fire Safety Journal 44.
 */
export interface ColourMeans {
  /** Luma 0–255; `blue` and `red`: chroma differences B−Y and R−Y in the units of Cb and Cr without their offset. */
  luma: number
  blue: number
  red: number
}

/** Minimum red of a flame, grey levels. */
const LEAST_RED = 130
/** Minimum difference of red to blue: a saturated orange; less for the almost white core of a flame. */
const LEAST_OVER_BLUE = 55
const HEART = 225
const HEART_OVER_BLUE = 28
/** Minimum distance between the two chroma values (τ of Çelik and Demirel). */
const LEAST_CHROMA = 40

/**
 * Minimum luma as a multiple of the mean. Çelik and Demirel require 1, but a flame before a bright sky, or one that
 * fills the picture, has less.
 */
const LEAST_LUMA = 0.75

/** BT.601, full range. */
export const luma = (r: number, g: number, b: number) => 0.299 * r + 0.587 * g + 0.114 * b
export const chromaBlue = (y: number, b: number) => 0.564 * (b - y)
export const chromaRed = (y: number, r: number) => 0.713 * (r - y)

export function isFlameColoured(r: number, g: number, b: number, means: ColourMeans): boolean {
  if (r < LEAST_RED || r < g || g < b) return false
  const heart = r >= HEART && g >= HEART - 50
  if (r - b < (heart ? HEART_OVER_BLUE : LEAST_OVER_BLUE)) return false
  const y = luma(r, g, b)
  const blue = chromaBlue(y, b)
  const red = chromaRed(y, r)
  return y > LEAST_LUMA * means.luma && blue < means.blue && (heart || (red > means.red && red - blue >= LEAST_CHROMA))
}
