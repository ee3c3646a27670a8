import { describe, expect, it } from 'vitest'
import { fixtureEvento } from '../../../test/evento-fixture.ts'
import { trackOf } from './track.ts'

const walk = (count: number, step = 0.05) =>
  Array.from({ length: count }, (_, index) => ({ ms: index - count, x: index * step, y: 0.25, w: 0.125, h: 0.5 }))
const track = (trajeto: unknown) => trackOf(fixtureEvento({ detalhes: { trajeto } }))

describe('the track of an event', () => {
  it('is the path of the foot point, from five points on', () => {
    expect(track(walk(4))).toBeNull()
    expect(track(walk(5, 0.125))).toBe('0.0625,0.75 0.1875,0.75 0.3125,0.75 0.4375,0.75 0.5625,0.75')
    expect(trackOf(fixtureEvento())).toBeNull()
  })

  it('is not shown with a jump wider than the box', () => {
    const jump = walk(8).map((point, index) => (index < 4 ? point : { ...point, x: point.x + 0.2 }))
    expect(track(jump)).toBeNull()
    const fall = walk(8).map((point, index) => (index < 4 ? point : { ...point, y: point.y + 0.2 }))
    expect(track(fall)).toBeNull()
  })
})
