import { describe, expect, it } from 'vitest'
import {
  averagePrecision,
  averagePrecision5095,
  averagePrecisionInterval,
  type PictureBoxes,
  precisionRecall,
} from './average-precision.ts'

/** A square of side 0.1 at its own position. */
const label = (x: number) => ({ x, y: 0.5, w: 0.1, h: 0.1 })
const found = (x: number, confianca: number) => ({ ...label(x), confianca })
const picture = (labels: number[], ...boxes: [x: number, confianca: number][]): PictureBoxes => ({
  labels: labels.map(label),
  found: boxes.map(([x, confianca]) => found(x, confianca)),
})

describe('averagePrecision', () => {
  it('is 1 when all true detections come before all errors, 0 without detections, null without labels', () => {
    expect(averagePrecision([picture([0, 0.3], [0, 0.9], [0.3, 0.8], [0.6, 0.7])], 0.5)).toBe(1)
    expect(averagePrecision([picture([0, 0.3])], 0.5)).toBe(0)
    expect(averagePrecision([picture([], [0, 0.9])], 0.5)).toBeNull()
    expect(averagePrecision5095([picture([], [0, 0.9])])).toBeNull()
  })

  it('is the area under the monotone curve', () => {
    // Right, wrong, right, with 3 labels: precision 1 up to recall 1/3, precision 2/3 up to recall 2/3, then 0.
    const one = picture([0, 0.2, 0.4], [0, 0.9], [0.8, 0.8], [0.2, 0.7])
    expect(averagePrecision([one], 0.5)).toBeCloseTo(1 / 3 + (1 / 3) * (2 / 3))
    // With the error first, every precision equals the final one.
    expect(averagePrecision([picture([0], [0.8, 0.9], [0, 0.8])], 0.5)).toBeCloseTo(0.5)
  })

  it('uses the best precision at or above a recall, not the precision at it', () => {
    const one = picture([0, 0.15, 0.3, 0.45], [0, 0.9], [0.75, 0.8], [0.9, 0.7], [0.15, 0.6], [0.3, 0.5], [0.45, 0.4])
    // After the two errors precision rises again to 4 of 6.
    expect(averagePrecision([one], 0.5)).toBeCloseTo(0.25 + 0.75 * (4 / 6))
  })

  it('counts a second box on one label as wrong', () => {
    expect(averagePrecision([picture([0, 0.3], [0, 0.9], [0.005, 0.8], [0.3, 0.7])], 0.5)).toBeCloseTo(
      0.5 + 0.5 * (2 / 3),
    )
  })

  it('matches the most confident box first, with the label that it covers best', () => {
    const crowded = { labels: [label(0), label(0.04)], found: [found(0.03, 0.9), found(0.0, 0.8)] }
    expect(averagePrecision([crowded], 0.5)).toBe(1)
  })

  it('depends neither on the order of pictures nor on that of equal confidences', () => {
    const [right, wrong] = [picture([0], [0, 0.5]), picture([], [0, 0.5])]
    expect(averagePrecision([right, wrong], 0.5)).toBeCloseTo(0.5)
    expect(averagePrecision([wrong, right], 0.5)).toBeCloseTo(0.5)
    const both = picture([0], [0.8, 0.5], [0, 0.5])
    expect(averagePrecision([both], 0.5)).toBeCloseTo(0.5)
  })

  it('requires the given overlap', () => {
    // Moved by a fifth of its width: intersection over union 0.08 / 0.12.
    const moved = picture([0], [0.02, 0.9])
    expect(averagePrecision([moved], 0.65)).toBe(1)
    expect(averagePrecision([moved], 0.7)).toBe(0)
    expect(averagePrecision5095([moved])).toBeCloseTo(0.4)
  })
})

describe('precisionRecall', () => {
  it('counts only detections above the threshold', () => {
    const pictures = [picture([0, 0.3], [0, 0.9], [0.6, 0.6], [0.3, 0.4]), picture([0.5])]
    expect(precisionRecall(pictures, 0.5)).toEqual({ precisao: 0.5, revocacao: 1 / 3, certos: 1, achados: 2 })
    expect(precisionRecall(pictures, 0.95)).toEqual({ precisao: null, revocacao: 0, certos: 0, achados: 0 })
    expect(precisionRecall([picture([], [0, 0.9])], 0.5)).toEqual({
      precisao: 0,
      revocacao: null,
      certos: 0,
      achados: 1,
    })
  })
})

describe('averagePrecisionInterval', () => {
  const right = picture([0], [0, 0.9])
  const missed = picture([0])

  it('encloses the value, narrows with the pictures, and repeats for a seed', () => {
    const few = averagePrecisionInterval([right, missed], 0.5, 7)
    // A quarter of the samples of two pictures draws one of them twice.
    expect(few).toEqual({ de: 0, ate: 1 })
    const many = averagePrecisionInterval(
      Array.from({ length: 200 }, (_, i) => (i % 2 ? right : missed)),
      0.5,
      7,
    )
    // Without a wrong box the value is the recall: its deviation is the binomial 0.035.
    expect(many?.de).toBeCloseTo(0.5 - 1.96 * 0.0354, 1)
    expect(many?.ate).toBeCloseTo(0.5 + 1.96 * 0.0354, 1)
    expect(averagePrecisionInterval([right, missed, picture([], [0, 0.5])], 0.5, 7)).toEqual(
      averagePrecisionInterval([right, missed, picture([], [0, 0.5])], 0.5, 7),
    )
  })

  it('is unknown without labels, and ignores samples without labels', () => {
    expect(averagePrecisionInterval([picture([], [0, 0.9])], 0.5, 7)).toBeNull()
    expect(averagePrecisionInterval([right, picture([]), picture([])], 0.5, 7)).toEqual({ de: 1, ate: 1 })
  })
})
