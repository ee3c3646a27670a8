import { describe, expect, it } from 'vitest'
import { NO_ZOOM, panBy, transformOf, zoomAt, zoomByKey } from './zoom.ts'

describe('zoom', () => {
  it('keeps the point under the pointer where it is', () => {
    const at = { x: 0.75, y: 0.25 }
    const zoom = zoomAt(NO_ZOOM, 2, at)
    // Picture position of the point: centre plus its distance from the middle of the screen.
    expect(zoom.x + (at.x - 0.5) / zoom.scale).toBeCloseTo(0.75)
    expect(zoom.y + (at.y - 0.5) / zoom.scale).toBeCloseTo(0.25)
  })

  it('stays inside the picture, between 1 and 8 times', () => {
    expect(zoomAt(NO_ZOOM, 0.5)).toEqual(NO_ZOOM)
    const most = zoomAt(NO_ZOOM, 100, { x: 1, y: 1 })
    expect(most.scale).toBe(8)
    expect(panBy(most, 10, -10)).toEqual({ scale: 8, x: 1 - 0.5 / 8, y: 0.5 / 8 })
    expect(panBy(NO_ZOOM, 1, 1)).toEqual(NO_ZOOM)
  })

  it('obeys the keyboard', () => {
    const zoom = zoomByKey(NO_ZOOM, '+') ?? NO_ZOOM
    expect(zoom.scale).toBe(1.25)
    expect(zoomByKey(zoom, 'ArrowRight')?.x).toBeGreaterThan(0.5)
    expect(zoomByKey(zoom, '0')).toEqual(NO_ZOOM)
    expect(zoomByKey(zoom, 'a')).toBeNull()
  })

  it('writes a transform', () => {
    expect(transformOf(NO_ZOOM)).toBe('none')
    expect(transformOf({ scale: 2, x: 0.75, y: 0.5 })).toBe('scale(2) translate(-25%, 0%)')
  })
})
