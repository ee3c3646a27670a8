import { footOf, type Linha, lineEnds } from '../geometry.ts'
import type { Occasion } from './occasion.ts'

/** The cooldown of crossings: of one object in one direction, as in the rule of line crossings. */
interface CrossingCooldown {
  /** Names the object and the direction. Crossings of unknown tracks have a key of their own. */
  keyOf(occasion: Occasion): string
  ready(occasion: Occasion, epochMs: number): boolean
  start(occasion: Occasion, epochMs: number): void
}

/** `linha`: the line that the stored candidates crossed. */
export function createCrossingCooldown(cooldownMs: number, linha: Linha): CrossingCooldown {
  const firedAt = new Map<string, number>()
  const keyOf = (occasion: Occasion) => `${occasion.track ?? occasion.key} ${directionOf(occasion, linha)}`
  return {
    keyOf,
    ready: (occasion, epochMs) => epochMs - (firedAt.get(keyOf(occasion)) ?? Number.NEGATIVE_INFINITY) >= cooldownMs,
    start: (occasion, epochMs) => firedAt.set(keyOf(occasion), epochMs),
  }
}

/** A record without an event names no direction: the object is on the side to which it crossed. */
function directionOf({ detalhes, trajeto }: Occasion, linha: Linha): string {
  if (detalhes.direcao) return detalhes.direcao
  const ends = lineEnds(linha)
  const point = trajeto.find(({ ms }) => ms >= 0) ?? trajeto.at(-1)
  if (!ends || !point) return ''
  const [from, to] = ends
  const foot = footOf(point)
  const cross = (to.x - from.x) * (foot.y - from.y) - (to.y - from.y) * (foot.x - from.x)
  return cross > 0 ? 'ab' : 'ba'
}
