import type { Detection } from '@vigia/ias/detection'
import { type CreateDecoder, onlyOutput, output } from './decoder.ts'

/** Left, top, right, bottom, probability, class number. */
const WIDTH = 6

/**
 * YOLOv10, and networks of that family exported with suppression (`nms=True`). One output [1, N, 6] holds left, top,
 * right and bottom in pixels of the input, probability and class number.
 */
export const createYolov10Decoder: CreateDecoder = ({ entrada: { largura, altura }, rotulos }) => ({
  maxIou: 1,
  decode(outputs, { minConfidence, classes }) {
    const { data } = output(outputs, onlyOutput(outputs).name, null, WIDTH)
    const wanted = new Set(classes)
    const found: Detection[] = []
    for (let start = 0; start < data.length; start += WIDTH) {
      const [left = 0, top = 0, right = 0, bottom = 0, confianca = 0, index = -1] = data.subarray(start, start + WIDTH)
      if (confianca < minConfidence || !wanted.has(index)) continue
      const [x, y] = [left / largura, top / altura]
      found.push({ rotulo: rotulos[index] ?? '', confianca, x, y, w: right / largura - x, h: bottom / altura - y })
    }
    return found
  },
})
