import { describe, expect, it } from 'vitest'
import { cropOf, rescored } from './rescoring.ts'

const weights = { minimo: 0.15, detector: 1, area: -0.1, constante: 0 }
const proposal = { rotulo: 'fire', confianca: 0.2, x: 0.4, y: 0.4, w: 0.1, h: 0.1 }

describe('rescored', () => {
  it('combines both confidences and the size', () => {
    // Odds of 1/4 and 9, times 0.01 to the power of -0.1.
    const odds = (9 / 4) * 0.01 ** -0.1
    expect(rescored(proposal, 0.9, weights)).toBeCloseTo(odds / (1 + odds), 6)
  })

  it('grows with each of them and stays a probability', () => {
    const values = [0, 0.1, 0.9, 1].map((rating) => rescored(proposal, rating, weights))
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(values.every((value) => value > 0 && value < 1)).toBe(true)
    const doubted = rescored({ ...proposal, confianca: 0.15 }, 0.9, weights)
    expect(rescored(proposal, 0.9, weights)).toBeGreaterThan(doubted)
  })

  it('accepts a box without an area', () => {
    expect(rescored({ ...proposal, w: 0 }, 0.5, weights)).toBeGreaterThan(0)
  })
})

describe('cropOf', () => {
  it('is a square of twice the longer side, moved into the frame', () => {
    const crop = cropOf({ x: 0, y: 0.4, w: 0.1, h: 0.1 }, { width: 1000, height: 500 })
    expect(crop).toEqual({ x: 0, y: 0.25, w: 0.2, h: 0.4 })
  })
})
