import { type RgbPicture, rectify, type TextBox } from './picture.ts'

/** The band above the text, in heights of the text box: it is 30 of 130 mm high (CONTRAN 969/2022). */
const BAND = { from: -0.95, to: -0.6 } as const
/** Above the plate. A blue vehicle is blue here too, so that its colour says nothing about the plate. */
const BODY = { from: -1.6, to: -1.3 } as const
const [COLUMNS, ROWS] = [32, 8]
/** Chances of the Mercosul form with a blue band, without one, and where no colour can be seen. */
const [WITH_BAND, WITHOUT_BAND, UNKNOWN] = [0.8, 0.2, 0.5]
const BLUE_SHARE = 0.35
const COLOUR_SHARE = 0.1

/**
 * Chance that a plate has the Mercosul form, from the blue band above its text. A picture without colours (infrared)
 * says nothing.
 */
export function bandChance(picture: RgbPicture, box: Omit<TextBox, 'score'>): number {
  const { blue, colour } = coloursOf(picture, box, BAND)
  if (blue >= BLUE_SHARE) return coloursOf(picture, box, BODY).blue >= BLUE_SHARE ? UNKNOWN : WITH_BAND
  return colour < COLOUR_SHARE ? UNKNOWN : WITHOUT_BAND
}

/** Shares of blue and of coloured pixels in a strip above the text. */
function coloursOf(
  picture: RgbPicture,
  box: Omit<TextBox, 'score'>,
  strip: { readonly from: number; readonly to: number },
) {
  const v = ((strip.from + strip.to) / 2) * box.height
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)]
  const centre = { x: box.centre.x - v * sin, y: box.centre.y + v * cos }
  const size = { width: box.width * 0.9, height: (strip.to - strip.from) * box.height }
  const { data } = rectify(picture, { ...box, ...size, centre }, COLUMNS, ROWS)
  let [blue, colour] = [0, 0]
  for (let at = 0; at < data.length; at += 3) {
    const [r, g, b] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
    if (b > 1.3 * r && b > 1.1 * g) blue++
    if (Math.max(r, g, b) - Math.min(r, g, b) > 6) colour++
  }
  const count = COLUMNS * ROWS
  return { blue: blue / count, colour: colour / count }
}
