import type { Detection } from '@vigia/ias/detection'
import { type CreateDecoder, integers, output } from './decoder.ts'

/**
 * RT-DETR and D-FINE as the scripts of their authors export them. The second input `orig_target_sizes` is the size of
 * the picture. `labels` [1, N] holds class numbers, `boxes` [1, N, 4] left, top,
 * right and bottom in pixels of that size, `scores` [1, N] probabilities.
 */
export const createDfineDecoder: CreateDecoder = ({ entrada: { largura, altura }, rotulos }) => ({
  maxIou: 1,
  sizeInput: 'orig_target_sizes',
  decode(outputs, { minConfidence, classes }) {
    const boxes = output(outputs, 'boxes', null, 4).data
    const count = boxes.length / 4
    const scores = output(outputs, 'scores', count).data
    const labels = integers(outputs, 'labels', count)
    const wanted = new Set(classes)
    const found: Detection[] = []
    for (let row = 0; row < count; row++) {
      const confianca = scores[row] ?? 0
      const index = Number(labels[row])
      if (confianca < minConfidence || !wanted.has(index)) continue
      const [left = 0, top = 0, right = 0, bottom = 0] = boxes.subarray(row * 4, row * 4 + 4)
      const [x, y] = [left / largura, top / altura]
      found.push({ rotulo: rotulos[index] ?? '', confianca, x, y, w: right / largura - x, h: bottom / altura - y })
    }
    return found
  },
})
