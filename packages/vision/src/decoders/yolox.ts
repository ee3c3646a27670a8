import type { Detection } from '@vigia/ias/detection'
import { type CreateDecoder, onlyOutput, output } from './decoder.ts'

const STRIDES = [8, 16, 32]

/**
 * YOLOX (arXiv 2107.08430) exported without its decoding: one output [1, cells, 5 + classes]. It holds centre offsets
 * and logarithms of the size (both in strides), objectness and class probabilities. The grids of stride 8, 16 and 32
 * follow each other.
 */
export const createYoloxDecoder: CreateDecoder = ({ entrada: { largura, altura }, rotulos }) => ({
  maxIou: 0.65,
  decode(outputs, { minConfidence, classes }) {
    const width = 5 + rotulos.length
    const cells = STRIDES.reduce((sum, stride) => sum + Math.floor(largura / stride) * Math.floor(altura / stride), 0)
    const raw = output(outputs, onlyOutput(outputs).name, cells, width)
    const found: Detection[] = []
    let start = 0
    for (const stride of STRIDES) {
      const columns = Math.floor(largura / stride)
      const rows = Math.floor(altura / stride)
      for (let cell = 0; cell < columns * rows; cell++, start += width) {
        const [dx = 0, dy = 0, dw = 0, dh = 0, objectness = 0] = raw.data.subarray(start, start + 5)
        if (objectness < minConfidence) continue
        for (const index of classes) {
          const confianca = objectness * (raw.data[start + 5 + index] ?? 0)
          if (confianca < minConfidence) continue
          const w = (Math.exp(dw) * stride) / largura
          const h = (Math.exp(dh) * stride) / altura
          const x = (((cell % columns) + dx) * stride) / largura - w / 2
          const y = ((Math.floor(cell / columns) + dy) * stride) / altura - h / 2
          found.push({ rotulo: rotulos[index] ?? '', confianca, x, y, w, h })
        }
      }
    }
    return found
  },
})
