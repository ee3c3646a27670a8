/** Digital zoom of a picture: scale, and the centre as fractions of the picture. */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

export const NO_ZOOM: Zoom = { scale: 1, x: 0.5, y: 0.5 }
const MOST = 8
/** One turn of the wheel, one press of a key. */
export const ZOOM_STEP = 1.25
/** One press of an arrow, as a fraction of the visible part. */
const PAN_STEP = 0.15

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** The centre is kept where the visible part lies inside the picture. */
function inside({ scale, x, y }: Zoom): Zoom {
  const half = 0.5 / scale
  return { scale, x: clamp(x, half, 1 - half), y: clamp(y, half, 1 - half) }
}

/** Changes the scale by `factor`; the point under `at` (fractions of the screen) stays where it is. */
export function zoomAt({ scale, x, y }: Zoom, factor: number, at = { x: 0.5, y: 0.5 }): Zoom {
  const next = clamp(scale * factor, 1, MOST)
  const shift = (centre: number, point: number) => centre + (point - 0.5) * (1 / scale - 1 / next)
  return inside({ scale: next, x: shift(x, at.x), y: shift(y, at.y) })
}

/** Moves the visible part by fractions of the screen. */
export const panBy = ({ scale, x, y }: Zoom, dx: number, dy: number): Zoom =>
  inside({ scale, x: x + dx / scale, y: y + dy / scale })

const keys: Readonly<Record<string, (zoom: Zoom) => Zoom>> = {
  '+': (zoom) => zoomAt(zoom, ZOOM_STEP),
  '=': (zoom) => zoomAt(zoom, ZOOM_STEP),
  '-': (zoom) => zoomAt(zoom, 1 / ZOOM_STEP),
  '0': () => NO_ZOOM,
  ArrowLeft: (zoom) => panBy(zoom, -PAN_STEP, 0),
  ArrowRight: (zoom) => panBy(zoom, PAN_STEP, 0),
  ArrowUp: (zoom) => panBy(zoom, 0, -PAN_STEP),
  ArrowDown: (zoom) => panBy(zoom, 0, PAN_STEP),
}

/** The zoom after a key; null: the key has no effect. */
export const zoomByKey = (zoom: Zoom, key: string): Zoom | null => keys[key]?.(zoom) ?? null

/** CSS transform of the picture. */
export const transformOf = ({ scale, x, y }: Zoom): string =>
  scale === 1 ? 'none' : `scale(${scale}) translate(${(0.5 - x) * 100}%, ${(0.5 - y) * 100}%)`
