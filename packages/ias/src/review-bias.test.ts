import { describe, expect, it } from 'vitest'
import { applyReviewBias, probabilityWithoutBias, reviewBias, sumReviews } from './review-bias.ts'

/** `n` confirmed verdicts of probability `p`, of which `real` are real. */
const verdicts = (n: number, real: number, p: number) =>
  Array.from({ length: n }, (_, i) => ({
    decisao: 'confirmado' as const,
    confianca: p,
    ajuste: 0,
    real: i < real,
  }))
const biasOf = (n: number, real: number, p: number) => reviewBias(sumReviews(verdicts(n, real, p)))

describe('the bias of reviews', () => {
  it('is 0 below 30 reviews, and at calibrated verdicts of any share', () => {
    expect(biasOf(29, 0, 0.9)).toBe(0)
    for (const p of [0.5, 0.6, 0.9]) expect(biasOf(100, 100 * p, p)).toBeCloseTo(0)
  })

  it('follows surprises in their direction, and more of them further', () => {
    const [few, many] = [biasOf(40, 32, 0.9), biasOf(40, 28, 0.9)]
    expect(few).toBeLessThan(0)
    expect(many).toBeLessThan(few)
    expect(biasOf(40, 30, 0.5)).toBeGreaterThan(0)
  })

  it('stays within 1 logit, also when all reviews contradict', () => {
    expect(biasOf(500, 0, 0.95)).toBe(-1)
    expect(biasOf(500, 500, 0.1)).toBe(1)
    expect(biasOf(30, 0, 1)).toBe(-1)
  })

  it('is computed from the probability without an earlier bias', () => {
    // logit 0.5 = 0: a bias of 1 gave 0.731.
    expect(probabilityWithoutBias({ decisao: 'confirmado', confianca: 0.7310586, ajuste: 1 })).toBeCloseTo(0.5)
    expect(probabilityWithoutBias({ decisao: 'refutado', confianca: 0.96, ajuste: 0 })).toBeCloseTo(0.04)
    // The fixed point: verdicts that carry the bias give the same bias again.
    const bias = biasOf(200, 140, 0.5)
    const confianca = 1 / (1 + Math.exp(-bias))
    const later = verdicts(200, 140, confianca).map((verdict) => ({ ...verdict, ajuste: bias }))
    expect(reviewBias(sumReviews(later))).toBeCloseTo(bias)
  })
})

describe('a verdict with a bias', () => {
  const verdict = (decisao: 'confirmado' | 'refutado', certeza: 'alta' | 'baixa', confianca: number) => ({
    decisao,
    certeza,
    confianca,
    motivo: 'Vi.',
  })

  it('changes between `alta` and `baixa`, with its reason, and keeps the bias', () => {
    expect(applyReviewBias(verdict('confirmado', 'baixa', 0.7), 1)).toEqual({
      ...verdict('confirmado', 'alta', expect.closeTo(0.864)),
      motivo: 'Vi. Nas revisões desta câmera, alarmes assim eram verdadeiros.',
      ajuste: 1,
    })
    expect(applyReviewBias(verdict('confirmado', 'alta', 0.85), -1)).toMatchObject({
      decisao: 'confirmado',
      certeza: 'baixa',
      confianca: expect.closeTo(0.676),
      ajuste: -1,
    })
    expect(applyReviewBias(verdict('confirmado', 'alta', 0.99), -1)).toMatchObject({ certeza: 'alta', motivo: 'Vi.' })
  })

  it('is never refuted by it, nor spared', () => {
    expect(applyReviewBias(verdict('confirmado', 'baixa', 0.06), -1)).toMatchObject({ decisao: 'confirmado' })
    for (const bias of [-1, 1]) {
      const refuted = verdict('refutado', 'alta', 0.96)
      expect(applyReviewBias(refuted, bias)).toEqual({ ...refuted, ajuste: 0 })
    }
  })

  it('stays as it is without a calibrated score', () => {
    const unscored = [
      verdict('confirmado', 'alta', 0.5),
      verdict('refutado', 'alta', 0.9),
      verdict('confirmado', 'baixa', 0),
    ]
    for (const one of unscored) expect(applyReviewBias(one, -1)).toBe(one)
  })
})
