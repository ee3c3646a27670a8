import type { Point } from '@vigia/ias/geometry'

/** A point on the board, CSS pixels. */
export interface Pixel {
  readonly x: number
  readonly y: number
}
type Size = { readonly width: number; readonly height: number }

export const scaled = ({ x, y }: Point, { width, height }: Size): Pixel => ({ x: x * width, y: y * height })

/** The pointer as a fraction of the element with this rectangle. */
export const fractionAt = (
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
  { left, top, width, height }: { readonly left: number; readonly top: number } & Size,
): Point => ({ x: (clientX - left) / width, y: (clientY - top) / height })

/** Mean of the points. */
export const middle = (points: readonly Pixel[]): Pixel => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

/** Distance of the arrows from the line, and their length and half width, CSS pixels. */
const GAP = 8
const LENGTH = 20
const HALF = 9

/**
 * Corners of the arrow that shows a direction of crossing, beside the middle of the line. `ab` goes from the left to
 * the right of the arrow from the first end to the second (analysis, line-crossing.ts); y grows downwards.
 */
export function arrowPoints(from: Pixel, to: Pixel, direction: 'ab' | 'ba'): readonly Pixel[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  const sign = direction === 'ab' ? 1 : -1
  const across = { x: -along.y * sign, y: along.x * sign }
  const center = middle([from, to])
  const at = (side: number, ahead: number) => ({
    x: center.x + along.x * side + across.x * ahead,
    y: center.y + along.y * side + across.y * ahead,
  })
  return [at(-HALF, GAP), at(HALF, GAP), at(0, GAP + LENGTH)]
}
