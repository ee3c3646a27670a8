import { describe, expect, it } from 'vitest'
import { createTrail } from './trail.ts'

const at = (atMs: number) => ({ x: atMs / 1e9, y: 0.5, w: 0.1, h: 0.2 })

describe('createTrail', () => {
  it('keeps all points while it is short', () => {
    const trail = createTrail()
    for (let ms = 0; ms < 5_000; ms += 200) trail.add(ms, at(ms))
    expect(trail.points().map(({ atMs }) => atMs)).toEqual(Array.from({ length: 25 }, (_, index) => index * 200))
  })

  it('spans the whole life in at most 64 even points, with the first and the last detection', () => {
    const trail = createTrail()
    for (let ms = 0; ms <= 3_600_000; ms += 200) {
      trail.add(ms, at(ms))
      const points = trail.points()
      expect(points.length).toBeLessThanOrEqual(64)
      expect(points[0]?.atMs).toBe(0)
      expect(points.at(-1)).toEqual({ atMs: ms, box: at(ms) })
    }
    const points = trail.points()
    const gaps = points.slice(1).map(({ atMs }, index) => atMs - (points[index]?.atMs ?? 0))
    expect(points.length).toBeGreaterThanOrEqual(30)
    expect(Math.max(...gaps)).toBeLessThan(4 * (3_600_000 / points.length))
  })
})
