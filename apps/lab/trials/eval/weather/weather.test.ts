import { describe, expect, it } from 'vitest'
import type { Pixels } from '../stress/pixels.ts'
import { createWeather, MEASURING_SEED, measuringModes, type WeatherMode, weatherModes, weatherOf } from './weather.ts'

const size = { width: 96, height: 54 }
const drawn = (): Pixels => {
  const rgb = Buffer.alloc(size.width * size.height * 3)
  for (let index = 0; index < rgb.length; index++) {
    const x = Math.floor(index / 3) % size.width
    rgb[index] = (x > 48 ? 180 : 60) + (index % 3) * 20 + (x % 4) * 5
  }
  return { rgb, ...size }
}
const seedOf = (mode: WeatherMode) => (weatherOf(mode).uso === 'medida' ? MEASURING_SEED + 5 : 5)
const apply = (mode: WeatherMode, atS: number, strength = 1, more = 0) =>
  Buffer.from(createWeather(mode, { seed: seedOf(mode) + more, strength, ...size })(drawn(), atS))
const deviation = (rgb: Buffer, from: Buffer) =>
  Math.sqrt(rgb.reduce((sum, value, index) => sum + (value - (from[index] ?? 0)) ** 2, 0) / rgb.length)

describe('weather', () => {
  it.each(weatherModes)('%s depends only on seed and time', (mode) => {
    const once = createWeather(mode, { seed: seedOf(mode), ...size })
    for (const atS of [0, 1, 2]) once(drawn(), atS)
    expect(once(drawn(), 7).equals(apply(mode, 7))).toBe(true)
    expect(deviation(apply(mode, 7), drawn().rgb)).toBeGreaterThan(5)
  })

  it.each(weatherModes)('%s grows with its strength', (mode) => {
    const coloured = mode.startsWith('ir') ? apply(mode, 7, 0) : drawn().rgb
    expect(deviation(apply(mode, 7, 0), coloured)).toBe(0)
    expect(deviation(apply(mode, 7, 0.5), coloured)).toBeLessThan(deviation(apply(mode, 7), coloured))
  })

  it('sweeps headlights and insects through the night', () => {
    const brightest = (mode: WeatherMode) =>
      Array.from({ length: 60 }, (_, i) => apply(mode, i)).filter((rgb) => rgb.some((level) => level > 240)).length
    expect(brightest('ir')).toBe(0)
    expect(brightest('ir_farois')).toBeGreaterThan(2)
    expect(brightest('ir_farois')).toBeLessThan(30)
    expect(brightest('ir_insetos')).toBeGreaterThan(0)
  })

  it('keeps the seeds of training and measuring apart', () => {
    expect(() => createWeather('nevoa', { seed: MEASURING_SEED, ...size })).toThrow(RangeError)
    expect(() => createWeather('nevoa_bancos', { seed: 5, ...size })).toThrow(RangeError)
    expect(measuringModes).toHaveLength(6)
  })
})
