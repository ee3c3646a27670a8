import type { Detection } from '@vigia/ias/detection'
import { type CreateDecoder, mismatch, onlyOutput } from './decoder.ts'

/**
 * The layout of YOLOv8 and its successors, exported without suppression: one output [1, 4 + classes, N] or [1, N, 4 +
 * classes]. It holds centre and size in pixels of the input, then a probability for each class, without objectness.
 */
export const createYolov8Decoder: CreateDecoder = ({ entrada: { largura, altura }, rotulos }) => ({
  maxIou: 0.7,
  decode(outputs, { minConfidence, classes }) {
    const width = 4 + rotulos.length
    const { name, found: raw } = onlyOutput(outputs)
    const [batch, first = 0, second = 0] = raw.dims
    if (raw.dims.length !== 3 || batch !== 1 || (first !== width && second !== width)) {
      throw mismatch(`a saída ${name} é [${raw.dims}], o decodificador e os rótulos pedem [1,${width},…].`)
    }
    const planes = first === width
    const count = planes ? second : first
    const [rowStep, valueStep] = planes ? [1, count] : [width, 1]
    const found: Detection[] = []
    for (let row = 0; row < count; row++) {
      const at = (value: number) => raw.data[row * rowStep + value * valueStep] ?? 0
      let best = -1
      let confianca = minConfidence
      for (const index of classes) {
        const score = at(4 + index)
        if (score < confianca) continue
        confianca = score
        best = index
      }
      if (best < 0) continue
      const [w, h] = [at(2) / largura, at(3) / altura]
      found.push({
        rotulo: rotulos[best] ?? '',
        confianca,
        x: at(0) / largura - w / 2,
        y: at(1) / altura - h / 2,
        w,
        h,
      })
    }
    return found
  },
})
