/** `zonas` and `linha` of the interface; valid forms: contracts, geometria.ts. */
export type Zonas = readonly (readonly number[])[]
export type Linha = readonly (readonly number[])[]

/** A point in the frame, fractions of its width and height from the top left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Top left corner and size: fractions of the frame, unless stated otherwise where the box is created. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/**
 * Distance up to which a point lies on an edge, as a fraction of the frame. Zones drawn to the border of the picture
 * include it.
 */
const ON_EDGE = 1e-6

/** The polygons of `zonas`, in either accepted form (contracts, geometria.ts). */
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

/** Even-odd rule; a point on the border is inside. Fewer than three corners contain no point. */
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

/** Distance of `p` from the segment `a`–`b`, all in the same units. */
function segmentDistance(p: Point, a: Point, b: Point): number {
  const length2 = (b.x - a.x) ** 2 + (b.y - a.y) ** 2
  const along = length2 === 0 ? 0 : ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length2
  const t = clamp(along)
  return Math.hypot(p.x - a.x - t * (b.x - a.x), p.y - a.y - t * (b.y - a.y))
}

/**
 * Distance up to which a drawn corner is moved to the picture's border, as a fraction of the frame: drawing by hand is
 * imprecise.
 */
const NEAR_BORDER = 0.01

/** Whether `point` lies on the picture's border or almost on it. */
export const onPictureBorder = ({ x, y }: Point): boolean =>
  Math.min(x, y) <= NEAR_BORDER || Math.max(x, y) >= 1 - NEAR_BORDER

/** `polygon` with corners near the picture's border moved onto it, unless that would flatten the polygon. */
export function reachPictureBorder(polygon: readonly Point[]): Point[] {
  const snap = (axis: 'x' | 'y') => {
    const values = polygon.map((point) => point[axis])
    if (Math.max(...values) - Math.min(...values) <= 2 * NEAR_BORDER) return (value: number) => value
    return (value: number) => (value <= NEAR_BORDER ? 0 : value >= 1 - NEAR_BORDER ? 1 : value)
  }
  const [x, y] = [snap('x'), snap('y')]
  return polygon.map((point) => ({ x: x(point.x), y: y(point.y) }))
}

/** The sides of `polygon` in units of `unit`, without those on the picture's border: no object is beyond them. */
function openSides(polygon: readonly Point[], unit: { readonly w: number; readonly h: number }): [Point, Point][] {
  const scale = scaledBy(unit)
  return polygon.flatMap((b, index): [Point, Point][] => {
    const a = polygon.at(index - 1) as Point
    const onBorder = (axis: 'x' | 'y') => a[axis] === b[axis] && (a[axis] <= 0 || a[axis] >= 1)
    return onBorder('x') || onBorder('y') ? [] : [[scale(a), scale(b)]]
  })
}

/**
 * Distance of `point` from the outline, in widths and heights of `unit`. Infinity when the zone is the whole picture.
 */
export function borderDistance(point: Point, polygon: readonly Point[], unit: Box): number {
  const p = scaledBy(unit)(point)
  return Math.min(Infinity, ...openSides(polygon, unit).map(([a, b]) => segmentDistance(p, a, b)))
}

/**
 * Area divided by the length of the outline, in widths and heights of `unit`. For a strip it is half the thickness, for
 * a square a quarter of the side.
 */
export function interiorScale(polygon: readonly Point[], unit: Box): number {
  const length = openSides(polygon, unit).reduce((sum, [a, b]) => sum + Math.hypot(b.x - a.x, b.y - a.y), 0)
  const doubled = polygon.reduce((sum, b, index) => {
    const a = polygon.at(index - 1) as Point
    return sum + a.x * b.y - b.x * a.y
  }, 0)
  return length === 0 ? Infinity : Math.abs(doubled) / (2 * size(unit.w) * size(unit.h) * length)
}

const size = (value: number): number => Math.max(value, 1e-6)
const scaledBy =
  ({ w, h }: { readonly w: number; readonly h: number }) =>
  ({ x, y }: Point): Point => ({ x: x / size(w), y: y / size(h) })

/** Point where a standing object touches the ground: the middle of the box's lower side, limited to the frame. */
export const footOf = (box: Box): Point => ({ x: clamp(box.x + box.w / 2), y: clamp(box.y + box.h) })

export const areaOf = (box: Box): number => box.w * box.h

/** Area shared by two boxes. */
export function intersection(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  return w > 0 && h > 0 ? w * h : 0
}

/** Intersection over union, 0–1; 0 when both are empty. */
export function iou(a: Box, b: Box): number {
  const shared = intersection(a, b)
  const union = areaOf(a) + areaOf(b) - shared
  return union > 0 ? shared / union : 0
}

/** Share of the smaller box that lies inside the larger one, 0–1. */
export const insideShare = (a: Box, b: Box): number =>
  intersection(a, b) / Math.max(Math.min(areaOf(a), areaOf(b)), 1e-9)

/**
 * The part of `box` inside the frame: a tracker may move a box past the border. A box inside the frame is returned
 * unchanged.
 */
export function clip(box: Box): Box {
  const [x, y] = [clamp(box.x), clamp(box.y)]
  const w = Math.max(0, Math.min(box.w - (x - box.x), 1 - x))
  return { x, y, w, h: Math.max(0, Math.min(box.h - (y - box.y), 1 - y)) }
}

/** The smallest box around all `boxes`, at least one. */
export function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.w))
  const bottom = Math.max(...boxes.map((box) => box.y + box.h))
  return { x, y, w: right - x, h: bottom - y }
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
