import { describe, expect, it } from 'vitest'
import { measuringModes } from '../weather/weather.ts'
import { perfis, scenes } from './scenes.ts'
import { SEGMENT_S, segmentsOf } from './segments.ts'

describe.each(perfis)('segments of the profile %s', (perfil) => {
  const all = segmentsOf(perfil, 24)

  it('cover 24 h once, in an order that a repeated call keeps', () => {
    expect(all.map(({ numero }) => numero).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: (24 * 3600) / SEGMENT_S }, (_, index) => index),
    )
    expect(segmentsOf(perfil, 24).map(({ numero }) => numero)).toEqual(all.map(({ numero }) => numero))
  })

  it('use every scene, weather only of measuring, and every measuring weather', () => {
    expect(new Set(all.map(({ cena }) => cena.nome)).size).toBe(scenes[perfil].length)
    const used = new Set(all.flatMap((one) => [one.at(0).clima, one.at(SEGMENT_S).clima]))
    expect([...used].filter((mode) => mode !== null).sort()).toEqual([...measuringModes].sort())
    expect(used).toContain(null)
  })

  it('switch between day and night inside two segments, and follow the sun', () => {
    const isNight = (one: (typeof all)[number], atS: number) =>
      ['ir_insetos', 'ir_farois', 'pouca_luz_cor'].includes(one.at(atS).clima ?? '')
    const switching = all.filter((one) => isNight(one, 0) !== isNight(one, SEGMENT_S - 1))
    expect(switching.map(({ numero }) => numero).toSorted((a, b) => a - b)).toEqual([36, 108])
    const mean = (hour: number) => {
      const one = all.find(({ numero }) => numero === hour * 6)
      return Array.from({ length: SEGMENT_S }, (_, s) => one?.at(s).luz ?? 0).reduce((a, b) => a + b) / SEGMENT_S
    }
    expect(mean(12)).toBeGreaterThan(mean(8))
    expect(mean(8)).toBeGreaterThan(mean(7))
  })
})
