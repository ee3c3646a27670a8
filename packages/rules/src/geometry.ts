import type { Linha, Zonas } from '@vigia/contracts/geometria'

/** A place in the frame, as fractions of its width and height from the top left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A rectangle in the frame, as fractions, from its top left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** A point this near an edge (fraction of the frame) lies on it: zones drawn to the border of the picture include it. */
const ON_EDGE = 1e-6

/** The polygons of `zonas`, whichever of the two accepted forms it has (contracts, geometria.ts). */
export function polygons(zonas: Zonas): Point[][] {
  if (zonas.length === 0) return []
  if (zonas.every((inner) => inner.length === 2)) return [pairs(zonas.flat())]
  return zonas.map(pairs)
}

/** The two ends of `linha` in the order drawn; null without a line. */
export function lineEnds(linha: Linha): readonly [Point, Point] | null {
  const [from, to] = pairs(linha.flat())
  return from && to ? [from, to] : null
}

function pairs(flat: readonly number[]): Point[] {
  const points: Point[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) points.push({ x: flat[i] ?? 0, y: flat[i + 1] ?? 0 })
  return points
}

/** Even-odd rule; a point on the border is inside. Fewer than three points hold nothing. */
export function pointInPolygon(point: Point, polygon: readonly Point[]): boolean {
  if (polygon.length < 3) return false
  let inside = false
  let previous = polygon[polygon.length - 1] as Point
  for (const current of polygon) {
    if (onSegment(point, previous, current)) return true
    const crosses = current.y > point.y !== previous.y > point.y
    if (crosses) {
      const x = current.x + ((point.y - current.y) / (previous.y - current.y)) * (previous.x - current.x)
      if (point.x < x) inside = !inside
    }
    previous = current
  }
  return inside
}

function onSegment(p: Point, a: Point, b: Point): boolean {
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  if (length < ON_EDGE) return Math.hypot(p.x - a.x, p.y - a.y) < ON_EDGE
  const along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length
  const away = Math.abs((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) / length
  return away < ON_EDGE && along > -ON_EDGE && along < length + ON_EDGE
}

/** Where a standing object touches the ground: the middle of the box's lower side, kept inside the frame. */
export const footOf = (box: Box): Point => ({ x: clamp(box.x + box.w / 2), y: clamp(box.y + box.h) })

export const areaOf = (box: Box): number => box.w * box.h

/**
 * Index of the first polygon that the object stands in. null: there is no zone, so the whole frame counts.
 * 'fora': there are zones and it stands in none.
 */
export function zoneOf(box: Box, zones: readonly (readonly Point[])[]): number | null | 'fora' {
  if (zones.length === 0) return null
  const foot = footOf(box)
  const index = zones.findIndex((polygon) => pointInPolygon(foot, polygon))
  return index < 0 ? 'fora' : index
}

/** Intersection over union, 0–1. */
export function overlapOf(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  if (w <= 0 || h <= 0) return 0
  return (w * h) / (areaOf(a) + areaOf(b) - w * h)
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
