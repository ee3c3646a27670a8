import type { Detection } from '@vigia/ias/detection'
import { bestClass, type CreateDecoder, type Output, output } from './decoder.ts'

const STRIDES = [8, 16, 32]
/** Each border distance is a distribution over 0…10 strides (Generalized Focal Loss, arXiv 2006.04388). */
const BINS = 11
const SIDES = 4

/** Expected value, in strides, of the distribution whose logits begin at `start`. */
function expectation(logits: Float32Array, start: number): number {
  let highest = -Infinity
  for (let bin = 0; bin < BINS; bin++) highest = Math.max(highest, logits[start + bin] ?? 0)
  let total = 0
  let weighted = 0
  for (let bin = 0; bin < BINS; bin++) {
    const weight = Math.exp((logits[start + bin] ?? 0) - highest)
    total += weight
    weighted += weight * bin
  }
  return weighted / total
}

/**
 * NanoDet (v0.x): per stride s the outputs `scores_s` [1, cells, classes] and `distances_s` [1, cells, 4 x 11].
 * Distances are left, top, right, bottom from the centre of the cell.
 */
export const createNanodetDecoder: CreateDecoder = ({ entrada: { largura, altura }, rotulos }) => ({
  maxIou: 0.6,
  decode(outputs, { minConfidence, classes }) {
    const found: Detection[] = []
    for (const stride of STRIDES) {
      const cells = Math.ceil(largura / stride) * Math.ceil(altura / stride)
      const scores = output(outputs, `scores_${stride}`, cells, rotulos.length)
      decodeStride(stride, cells, scores, output(outputs, `distances_${stride}`, cells, SIDES * BINS))
    }
    return found

    function decodeStride(stride: number, cells: number, scores: Output, distances: Output): void {
      const columns = Math.ceil(largura / stride)
      for (let cell = 0; cell < cells; cell++) {
        const best = bestClass(scores.data, cell * rotulos.length, classes, minConfidence)
        if (!best) continue
        const at = (side: number) => expectation(distances.data, (cell * SIDES + side) * BINS) * stride
        const [left, top, right, bottom] = [at(0), at(1), at(2), at(3)]
        found.push({
          rotulo: rotulos[best.index] ?? '',
          confianca: best.score,
          x: (((cell % columns) + 0.5) * stride - left) / largura,
          y: ((Math.floor(cell / columns) + 0.5) * stride - top) / altura,
          w: (left + right) / largura,
          h: (top + bottom) / altura,
        })
      }
    }
  },
})
