import { describe, expect, it } from 'vitest'
import { surroundings, toFrame } from './surroundings.ts'

const frame = { width: 1000, height: 500 }
const context = { factor: 2, minSide: 64 }

describe('surroundings', () => {
  it('is a square around the box', () => {
    const region = surroundings({ x: 0.45, y: 0.4, w: 0.1, h: 0.2 }, frame, context)
    expect(region).toEqual({ left: 400, top: 150, width: 200, height: 200 })
  })

  it('is moved back into the frame, not cut', () => {
    const region = surroundings({ x: 0.95, y: 0, w: 0.05, h: 0.2 }, frame, context)
    expect(region).toEqual({ left: 800, top: 0, width: 200, height: 200 })
  })

  it('has a minimum size and never exceeds the frame', () => {
    expect(surroundings({ x: 0.5, y: 0.5, w: 0.01, h: 0.02 }, frame, context)).toMatchObject({ width: 64, height: 64 })
    const whole = surroundings({ x: 0, y: 0, w: 1, h: 1 }, frame, context)
    expect(whole).toEqual({ left: 0, top: 0, width: 1000, height: 500 })
    const tiny = surroundings({ x: 0.2, y: 0.2, w: 0.1, h: 0.1 }, { width: 40, height: 30 }, context)
    expect(tiny).toEqual({ left: 0, top: 0, width: 40, height: 30 })
  })

  it('is inverted by toFrame', () => {
    const region = surroundings({ x: 0.45, y: 0.4, w: 0.1, h: 0.2 }, frame, context)
    const back = toFrame({ x: 0.25, y: 0.25, w: 0.5, h: 0.5 }, region, frame)
    expect(back).toEqual({ x: 0.45, y: 0.4, w: 0.1, h: 0.2 })
  })
})
