import { describe, expect, it } from 'vitest'
import { fireScore, weigh } from './fire-score.ts'

describe('fireScore', () => {
  it.each([
    ['a poster at the highest confidence', 0.99, { colour: 1, flicker: 0 }, false],
    ['a red shirt at rest', 0.9, { colour: 0.9, flicker: 0.02 }, false],
    ['a welding arc that the detector classifies as fire', 0.7, { colour: 0, flicker: 1 }, false],
    ['flickering orange that the detector misses', 0.05, { colour: 1, flicker: 1 }, false],
    ['a flame with half the confidence', 0.25, { colour: 0.8, flicker: 0.8 }, true],
    ['an infrared picture: no colours, and so no flicker', 0.9, { colour: 0, flicker: 0 }, true],
    ['an infrared picture with less confidence', 0.7, { colour: 0, flicker: 0 }, false],
    ['enough confidence with neutral evidence', 0.6, { colour: 0.3, flicker: 0.3 }, true],
  ])('fire: %s', (_, confianca, evidence, yes) => {
    expect(fireScore('fire', confianca, evidence) >= 0.5).toBe(yes)
  })

  it.each([
    ['a grey wall', 0.95, { colour: 0.4, flicker: 0 }, false],
    ['a moving brown heap', 0.6, { colour: 0, flicker: 0.3 }, false],
    ['slow smoke that hides the background', 0.85, { colour: 0.9, flicker: 0 }, true],
    ['smoke that is present from the first picture', 0.6, { colour: 0.4, flicker: 0.5 }, true],
    ['smoke with low confidence', 0.35, { colour: 0.8, flicker: 0.5 }, true],
  ])('smoke: %s', (_, confianca, evidence, yes) => {
    expect(fireScore('smoke', confianca, evidence) >= 0.5).toBe(yes)
  })

  it('is the confidence of the detector without evidence', () => {
    expect(fireScore('fire', 0.73, null)).toBe(0.73)
  })

  it.each([
    ['a flickering orange vest with very low confidence', 0.1, { colour: 1, flicker: 1 }, 1, false],
    ['a flickering flame behind a person, with half the confidence', 0.5, { colour: 0.8, flicker: 0.8 }, 1, true],
    ['a flame beside a person', 0.1, { colour: 0.8, flicker: 0.8 }, 0.5, true],
    ['a red shirt in a single picture', 0.7, null, 1, false],
    ['high confidence in a single picture', 0.9, null, 1, true],
    ['a flame partly behind a person, in a single picture', 0.6, null, 0.5, true],
  ])('fire: %s', (_, confianca, evidence, onPerson, yes) => {
    expect(fireScore('fire', confianca, evidence, onPerson) >= 0.5).toBe(yes)
    expect(fireScore('smoke', confianca, evidence, onPerson)).toBe(fireScore('smoke', confianca, evidence))
  })

  it('never falls with more evidence', () => {
    const steps = Array.from({ length: 21 }, (_, i) => i / 20)
    const rises = (pick: (value: number) => number, from = 0) => {
      const values = steps.filter((step) => step >= from).map(pick)
      return values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0) - 1e-12)
    }
    for (const label of ['fire', 'smoke'] as const)
      for (const a of steps)
        for (const b of steps) {
          expect(rises((c) => fireScore(label, c, { colour: a, flicker: b }))).toBe(true)
          expect(rises((c) => fireScore(label, a, { colour: b, flicker: c }))).toBe(true)
          // Below this value flicker does not count.
          expect(rises((c) => fireScore(label, a, { colour: c, flicker: b }), label === 'fire' ? 0.1 : 0)).toBe(true)
        }
  })
})

it('multiplies odds: two times even odds are two to one', () => {
  expect(weigh(0.5, 2)).toBeCloseTo(2 / 3)
  expect(weigh(0.8, 1)).toBeCloseTo(0.8)
  expect(weigh(1, 0.3)).toBe(1)
})
