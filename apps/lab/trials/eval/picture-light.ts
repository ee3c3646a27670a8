import type { Pixels } from './stress/pixels.ts'

export const luzes = ['dia', 'penumbra', 'noite', 'infravermelho'] as const
export type Luz = (typeof luzes)[number]

/** Mean luma below which a picture counts as night, and below which as dusk, of 255 levels. */
export const NOITE_ABAIXO = 50
export const PENUMBRA_ABAIXO = 90
/** Mean distance of the largest from the smallest colour value below which a picture counts as grey. */
const GREY_BELOW = 4

/** Light of a picture, from its mean luma (BT.601) and its colour. A grey picture counts as infrared. */
export function lightOf({ rgb }: Pick<Pixels, 'rgb'>): Luz {
  let [luma, chroma] = [0, 0]
  for (let index = 0; index < rgb.length; index += 3) {
    const [r = 0, g = 0, b = 0] = rgb.subarray(index, index + 3)
    luma += 0.299 * r + 0.587 * g + 0.114 * b
    chroma += Math.max(r, g, b) - Math.min(r, g, b)
  }
  const pixels = Math.max(1, rgb.length / 3)
  if (chroma / pixels < GREY_BELOW) return 'infravermelho'
  if (luma / pixels < NOITE_ABAIXO) return 'noite'
  return luma / pixels < PENUMBRA_ABAIXO ? 'penumbra' : 'dia'
}
