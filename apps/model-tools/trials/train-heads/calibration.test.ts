import { describe, expect, it } from 'vitest'
import {
  areaUnderCurve,
  calibrate,
  calibrationError,
  type Judged,
  probabilityOf,
  reliability,
  sigmoid,
} from './calibration.ts'
import { createRandom } from './random.ts'

/** Targets whose truth follows a known logistic function of two kinds of evidence. */
function drawn(count: number, weights: readonly number[]): Judged[] {
  const random = createRandom('targets')
  return Array.from({ length: count }, () => {
    const evidence = [2 * random.normal(), random.normal()]
    return { evidence, real: random.chance(probabilityOf(weights, evidence)) }
  })
}

describe('calibrate', () => {
  it('finds the weights and the bias of the evidence', () => {
    const truth = [1.5, -0.7, 0]
    const found = calibrate(drawn(3000, truth))
    for (const [at, weight] of truth.entries()) expect(Math.abs((found[at] ?? Number.NaN) - weight)).toBeLessThan(0.2)
  })

  it('stays finite for evidence that separates the targets', () => {
    const separate = [-2, -1, 1, 2].map((value) => ({ evidence: [value], real: value > 0 }))
    const [weight = Number.NaN, bias] = calibrate(separate)
    expect(weight).toBeGreaterThan(1)
    expect(bias).toBeCloseTo(0)
  })
})

describe('areaUnderCurve', () => {
  const scored = (real: readonly number[], not: readonly number[]) => [
    ...real.map((p) => ({ p, real: true })),
    ...not.map((p) => ({ p, real: false })),
  ]
  it.each([
    ['separate', [0.8, 0.9], [0.1, 0.2], 1],
    ['reversed', [0.1], [0.2, 0.9], 0],
    ['equal', [0.5, 0.5], [0.5], 0.5],
    ['one of four pairs wrong', [0.4, 0.9], [0.1, 0.5], 0.75],
  ])('of %s scores', (_, real, not, area) => {
    expect(areaUnderCurve(scored(real, not))).toBeCloseTo(area)
  })
})

describe('calibrationError', () => {
  const truths = drawn(4000, [1, 0, 0])
  const claimed = (factor: number) =>
    truths.map(({ evidence, real }) => ({ p: sigmoid(factor * (evidence[0] ?? 0)), real }))

  it('is small for true probabilities and larger for overconfident ones', () => {
    expect(calibrationError(claimed(1))).toBeLessThan(0.04)
    expect(calibrationError(claimed(4))).toBeGreaterThan(0.08)
  })

  it('has a bin for a probability of 1', () => {
    expect(reliability([{ p: 1, real: true }]).at(-1)).toMatchObject({ count: 1, mean: 1, share: 1 })
  })
})
