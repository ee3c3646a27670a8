/** Top left corner and size, in whatever unit the caller uses for both axes. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Area shared by two boxes. */
export function intersection(a: Box, b: Box): number {
  const width = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

/** Intersection over union, 0–1; 0 when both are empty. */
export function iou(a: Box, b: Box): number {
  const shared = intersection(a, b)
  const union = a.w * a.h + b.w * b.h - shared
  return union > 0 ? shared / union : 0
}

/** The part of `box` inside the frame 0–1. */
export function clip(box: Box): Box {
  const x = Math.min(1, Math.max(0, box.x))
  const y = Math.min(1, Math.max(0, box.y))
  return { x, y, w: Math.min(1, Math.max(x, box.x + box.w)) - x, h: Math.min(1, Math.max(y, box.y + box.h)) - y }
}
