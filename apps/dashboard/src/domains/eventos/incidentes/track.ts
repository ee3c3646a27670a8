import { detalhesIaSchema } from '@vigia/contracts/candidate'
import type { Evento } from '@vigia/contracts/eventos'

/** A path of fewer points says nothing about the movement. */
const MIN_POINTS = 5

/**
 * Path of the object's foot point up to the event, as points of an SVG polyline in fractions of the frame. null: no
 * path. A jump wider than the object is a change to another object, so that such a path is not shown.
 */
export function trackOf({ detalhes }: Evento): string | null {
  const known = detalhesIaSchema.safeParse(detalhes)
  const trajeto = known.success ? (known.data.trajeto ?? []) : []
  if (trajeto.length < MIN_POINTS) return null
  const points = trajeto.map(({ x, y, w, h }) => ({ x: x + w / 2, y: y + h, w }))
  const hasJump = points.some(({ x, y, w }, index) => {
    const before = points[index - 1]
    return before !== undefined && Math.hypot(x - before.x, y - before.y) > Math.max(w, before.w)
  })
  return hasJump ? null : points.map(({ x, y }) => `${x},${y}`).join(' ')
}
