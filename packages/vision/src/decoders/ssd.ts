import type { Detection } from '@vigia/ias/detection'
import { bestClass, type CreateDecoder, output } from './decoder.ts'

/**
 * Single-shot detector (arXiv 1512.02325) with decoded anchors: `boxes` [1, N, 4] ymin, xmin, ymax, xmax as fractions,
 * and `scores` [1, N, classes].
 */
export const createSsdDecoder: CreateDecoder = ({ rotulos }) => ({
  maxIou: 0.45,
  decode(outputs, { minConfidence, classes }) {
    const boxes = output(outputs, 'boxes', null, 4).data
    const scores = output(outputs, 'scores', boxes.length / 4, rotulos.length).data
    const found: Detection[] = []
    for (let anchor = 0; anchor < boxes.length / 4; anchor++) {
      const best = bestClass(scores, anchor * rotulos.length, classes, minConfidence)
      if (!best) continue
      const [top = 0, left = 0, bottom = 0, right = 0] = boxes.subarray(anchor * 4, anchor * 4 + 4)
      found.push({
        rotulo: rotulos[best.index] ?? '',
        confianca: best.score,
        x: left,
        y: top,
        w: right - left,
        h: bottom - top,
      })
    }
    return found
  },
})
