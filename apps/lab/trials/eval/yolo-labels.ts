import { VigiaError } from '@vigia/contracts/errors'
import type { Box } from '@vigia/ias/geometry'

/** One labelled object; box as fractions of the picture. */
export interface LabelledBox {
  /** Index of the class in the data set's list. */
  readonly classe: number
  readonly box: Box
}

/**
 * Labels of one picture in YOLO text. A line is `class x y w h` (centre and size) or `class x1 y1 x2 y2 x3 y3 …` (a
 * polygon, reduced to its bounding box), all in fractions. Throws VigiaError `validacao` that names file and line.
 */
export function parseYoloLabels(text: string, file: string): LabelledBox[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return []
    const [classe = Number.NaN, ...numbers] = line.trim().split(/\s+/).map(Number)
    const readable = Number.isInteger(classe) && classe >= 0 && numbers.every(Number.isFinite)
    const box = readable ? boxOf(numbers) : null
    if (!box) throw new VigiaError('validacao', { detalhe: `${file}: a linha ${index + 1} não é um rótulo YOLO.` })
    return box.w > 0 && box.h > 0 ? [{ classe, box }] : []
  })
}

function boxOf(numbers: readonly number[]): Box | null {
  if (numbers.length === 4) {
    const [x = 0, y = 0, w = 0, h = 0] = numbers
    return yoloBox(x, y, w, h)
  }
  if (numbers.length < 6 || numbers.length % 2 === 1) return null
  const xs = numbers.filter((_, index) => index % 2 === 0)
  const ys = numbers.filter((_, index) => index % 2 === 1)
  return within(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))
}

/** The part inside the picture of a box given by its centre and size. */
export const yoloBox = (x: number, y: number, w: number, h: number): Box =>
  within(x - w / 2, y - h / 2, x + w / 2, y + h / 2)

/** The part inside the picture: boxes of augmented data sets may cross the border. */
function within(left: number, top: number, right: number, bottom: number): Box {
  const [x, y] = [clamp(left), clamp(top)]
  return { x, y, w: clamp(right) - x, h: clamp(bottom) - y }
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
