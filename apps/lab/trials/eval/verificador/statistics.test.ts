import { describe, expect, it } from 'vitest'
import { calibrationError, reliability } from './statistics.ts'

describe('reliability', () => {
  const rows = (p: number, right: number, n: number) =>
    Array.from({ length: n }, (_, index) => ({ p, verdadeiro: index < right }))

  it('compares the stated probability with the share of true candidates', () => {
    const bins = reliability([...rows(0.95, 9, 10), ...rows(0.05, 0, 10), ...rows(1, 10, 10)])
    expect(bins[9]).toEqual({ n: 20, peso: 20, dito: expect.closeTo(0.975, 9), verdadeiros: 0.95 })
    expect(bins[0]).toMatchObject({ n: 10, verdadeiros: 0 })
    expect(bins[5]).toMatchObject({ n: 0 })
    expect(calibrationError(bins)).toBeCloseTo((20 * 0.025 + 10 * 0.05) / 30, 9)
  })

  it('weighs true and false candidates equally where half of them are presupposed to be true', () => {
    const bins = reliability(
      [
        ...Array.from({ length: 30 }, () => ({ p: 0.75, verdadeiro: true })),
        ...Array.from({ length: 10 }, () => ({ p: 0.75, verdadeiro: false })),
      ],
      true,
    )
    expect(bins[7]).toMatchObject({ n: 40, peso: 40, verdadeiros: expect.closeTo(0.5, 9) })
    expect(calibrationError(bins)).toBeCloseTo(0.25, 9)
  })

  it('has no error without candidates', () => {
    expect(calibrationError(reliability([]))).toBe(0)
  })
})
