import type { QualidadePlaca } from '@vigia/contracts/registro-passagem'
import { type RgbPicture, rectify, type TextBox } from './picture.ts'

/** Share of the steepest edges that count, and of the darkest and brightest pixels that bound the contrast. */
const STEEPEST = 0.02
const EXTREMES = 0.05
/** Minimum contrast that has measurable edges, in levels of 255. */
const CONTRAST_MIN = 20

/**
 * How well a plate can be read.
 * @param box the text of the plate, in pixels of the picture
 * @param scale pixels of the picture for one pixel of the frame
 */
export function qualityOf(picture: RgbPicture, box: Omit<TextBox, 'score'>, scale: number): QualidadePlaca {
  return {
    largura_px: Math.max(1, Math.round(box.width / scale)),
    borrao_px: edgeWidthOf(picture, box, scale),
    angulo_graus: Math.round((box.angle * 180) / Math.PI),
  }
}

/**
 * Width of the edges of the text along it, in pixels of the frame: contrast divided by the steepest change from pixel
 * to pixel. About 1 to 2 is sharp. null: too little contrast.
 */
function edgeWidthOf(picture: RgbPicture, box: Omit<TextBox, 'score'>, scale: number): number | null {
  const [width, height] = [Math.max(8, Math.round(box.width)), Math.max(4, Math.round(box.height))]
  const { data } = rectify(picture, box, width, height)
  const levels = Array.from({ length: width * height }, (_, at) => {
    const [r = 0, g = 0, b = 0] = data.subarray(3 * at, 3 * at + 3)
    return 0.299 * r + 0.587 * g + 0.114 * b
  })
  const steps = levels.flatMap((level, at) => (at % width === 0 ? [] : [Math.abs(level - (levels[at - 1] ?? level))]))
  const sorted = levels.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  const contrast = at(1 - EXTREMES) - at(EXTREMES)
  if (contrast < CONTRAST_MIN) return null
  const steepest = steps.toSorted((a, b) => b - a)[Math.floor(STEEPEST * steps.length)] ?? 0
  return Math.round((10 * contrast) / Math.max(1, steepest) / scale) / 10
}
