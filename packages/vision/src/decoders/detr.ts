import type { Detection } from '@vigia/ias/detection'
import { bestClass, type CreateDecoder, firstOutput, output } from './decoder.ts'

/**
 * RT-DETR and D-FINE as Transformers exports them, and RF-DETR. `pred_boxes` or `dets`
 * [1, N, 4] holds centre and size as fractions of the input. `logits` or `labels` [1, N, classes] holds one logit for
 * each class. Each object has one box, so that none is suppressed.
 */
export const createDetrDecoder: CreateDecoder = ({ rotulos }) => ({
  maxIou: 1,
  decode(outputs, { minConfidence, classes }) {
    const boxes = output(outputs, firstOutput(outputs, 'pred_boxes', 'dets'), null, 4).data
    const count = boxes.length / 4
    const logits = output(outputs, firstOutput(outputs, 'logits', 'labels'), count, rotulos.length).data
    const least = Math.log(minConfidence / (1 - minConfidence))
    const found: Detection[] = []
    for (let row = 0; row < count; row++) {
      const best = bestClass(logits, row * rotulos.length, classes, least)
      if (!best) continue
      const [x = 0, y = 0, w = 0, h = 0] = boxes.subarray(row * 4, row * 4 + 4)
      const confianca = 1 / (1 + Math.exp(-best.score))
      found.push({ rotulo: rotulos[best.index] ?? '', confianca, x: x - w / 2, y: y - h / 2, w, h })
    }
    return found
  },
})
