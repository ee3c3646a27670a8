import type { Velocity } from './ptz-mover.ts'

/** Speed of a key or a button; a pointer chooses its own. */
export const KEY_SPEED = 0.6
/** Share of the radius around the centre in which nothing moves. */
const DEAD_ZONE = 0.15
/** Coarse steps: a trembling finger sends no new request. */
const STEPS = 5

const keys: Readonly<Record<string, Partial<Velocity>>> = {
  ArrowLeft: { x: -KEY_SPEED },
  ArrowRight: { x: KEY_SPEED },
  ArrowUp: { y: KEY_SPEED },
  ArrowDown: { y: -KEY_SPEED },
  '+': { zoom: KEY_SPEED },
  '=': { zoom: KEY_SPEED },
  '-': { zoom: -KEY_SPEED },
}

export const isMoveKey = (key: string): boolean => Object.hasOwn(keys, key)

/** Velocity of the held keys together; null: they move nothing. */
export function velocityOfKeys(held: ReadonlySet<string>): Velocity | null {
  const velocity = { x: 0, y: 0, zoom: 0 }
  for (const key of held) {
    const { x = 0, y = 0, zoom = 0 } = keys[key] ?? {}
    velocity.x += x
    velocity.y += y
    velocity.zoom += zoom
  }
  return velocity.x === 0 && velocity.y === 0 && velocity.zoom === 0 ? null : velocity
}

/** Velocity of a pointer. `dx`, `dy`: from the centre to the right and down, as shares of the radius. */
export function velocityOfPointer(dx: number, dy: number): Velocity | null {
  const length = Math.hypot(dx, dy)
  if (length < DEAD_ZONE) return null
  const scale = Math.max(1, length)
  const step = (value: number) => Math.round((value / scale) * STEPS) / STEPS || 0
  return { x: step(dx), y: step(-dy), zoom: 0 }
}
