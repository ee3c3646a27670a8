/**
 * Whether a pixel has the colour of a flame. Two rules that must both hold: red over green over blue with enough of both red and
 * saturation (Chen, Wu, Chiou 2004, "An early fire-detection method based on image processing", ICIP), and redder and less blue than the picture
 * as a whole, and not much darker (Çelik and Demirel 2009, "Fire detection in video sequences using a generic color model", Fire Safety Journal 44).
 */
export interface ColourMeans {
  /** Means over the picture: luma 0–255, and the chroma differences B−Y and R−Y in the units of Cb and Cr without their offset. */
  luma: number
  blue: number
  red: number
}

/** Least red of a flame, grey levels; a flame that is darker does not shine. */
const LEAST_RED = 130
/** Least red over blue: a saturated orange; less for the almost white heart of a flame. */
const LEAST_OVER_BLUE = 55
const HEART = 225
const HEART_OVER_BLUE = 28
/** Least distance between the two chroma values (τ of Çelik and Demirel). */
const LEAST_CHROMA = 40

/** Çelik and Demirel ask for more than the mean luma; before a bright sky, and when it fills the picture, a flame has less. */
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
