import { describe, expect, it } from 'vitest'
import { type Detected, type DetectedRegion, judgeScored } from './judging.ts'
import { probabilityOf, scoreLimits } from './verdict-calibration.ts'

const clear = { noise: 0.5, light: 120, sharpness: 0.6 }
const regionOf = (rotulo: string, confianca: number, seen: readonly number[]): DetectedRegion => ({
  first: { rotulo, confianca },
  seen,
  quality: clear,
})
const judge = (region: DetectedRegion, rest: { fonte?: 'sub' | 'principal'; conjunta?: boolean } = {}) => {
  const found: Detected = { kind: 'detected', modelo: 'm', regions: [region] }
  return judgeScored(found, { caixas: [], rotulos: ['person'], conf: 0.4, detalhes: {}, ...rest }, 0).decisao
}

describe('the limits of a refutation', () => {
  it('are higher for a person if further pictures must agree, and on the main stream', () => {
    // Between the limit of one picture and that of several.
    const weak = regionOf('person', 0.2, [0.05, 0.06])
    const p = probabilityOf(weak)
    expect(p).toBeGreaterThan(scoreLimits.refute)
    expect(p).toBeLessThan(scoreLimits.refuteTogether)
    expect(judge(weak)).toBe('confirmado')
    expect(judge(weak, { conjunta: true })).toBe('refutado')
    expect(judge(weak, { fonte: 'principal' })).toBe('refutado')
  })

  it('are the same for a vehicle on every picture: no other was measured', () => {
    const vehicle = regionOf('car', 0.1, [0, 0])
    const p = probabilityOf(vehicle)
    expect(p).toBeGreaterThan(scoreLimits.refute)
    expect(p).toBeLessThan(scoreLimits.refuteTogether)
    for (const rest of [{}, { conjunta: true }, { fonte: 'principal' }] as const)
      expect(judge(vehicle, rest)).toBe('confirmado')
  })

  it('do not hold where the first model was sure', () => {
    expect(judge(regionOf('person', 0.6, [0, 0]), { fonte: 'principal', conjunta: true })).toBe('confirmado')
  })
})
