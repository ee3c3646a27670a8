import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import { xorshift } from '@vigia/testing/random'
import { type LuggageKind, luggageKinds, shapes } from './luggage.ts'

/** The people of one clip: one entry for each analysed frame. */
export type DetectedPeople = { readonly atS: number; readonly people: readonly Detection[] }

/** An object that a real person leaves behind. Times in s of the clip. */
export interface Plan {
  readonly kind: LuggageKind
  readonly box: Box
  readonly putAtS: number
  /** From here on nobody attends it. */
  readonly aloneAtS: number
  readonly fromS: number
  /** End of the composed clip; beyond `loop` its empty pictures repeat forwards and backwards. */
  readonly untilS: number
  readonly loop: { readonly fromS: number; readonly toS: number } | null
  readonly seed: number
}

/** The pipeline learns the scene first. */
const BEFORE_S = 8
const AFTER_S = 7
const LEAST_PERSON = 0.12
const OWNER_AWAY = 2.2
const STRANGER_AWAY = 1.2
const STAYS_S = 4
/** Reach of the owner between two detections, in heights. */
const OWNER_STEP = 0.6
/** A shorter stretch without people cannot repeat unnoticed; one that comes later than this is not used. */
const LEAST_EMPTY_S = 1.6
const FIND_EMPTY_S = 10
const TRIES = 4000

/**
 * Plans up to `count` objects in one clip, each beside the feet of a person at a random moment. The person leaves, and
 * nobody else stays near until the event is due. `aspect`: width of the picture in heights.
 */
export function planObjects(
  detected: readonly DetectedPeople[],
  aspect: number,
  permanenciaS: number,
  count: number,
  seed: number,
): Plan[] {
  const random = xorshift(seed)
  const plans: Plan[] = []
  const endS = detected.at(-1)?.atS ?? 0
  for (let attempt = 0; attempt < TRIES && plans.length < count; attempt++) {
    const index = Math.floor(random() * detected.length)
    const here = detected[index]
    const person = here?.people[Math.floor(random() * here.people.length)]
    const [kindAt, size, aside] = [random(), 0.22 + 0.2 * random(), random() * 2 - 1]
    if (!here || !person || person.h < LEAST_PERSON || person.y + person.h > 0.99 || person.confianca < 0.5) continue
    if (here.atS < BEFORE_S) continue
    const kind = luggageKinds[Math.floor(kindAt * luggageKinds.length)] ?? 'mala'
    const h = person.h * size
    const w = (h * shapes[kind]) / aspect
    const x = person.x + person.w / 2 + aside * person.w * 0.5 - w / 2
    const box = { x, y: person.y + person.h - h, w, h }
    if (x < 0.01 || x + w > 0.99 || plans.some((one) => Math.abs(one.putAtS - here.atS) < 1)) continue
    const aloneAtS = leftAt(detected, index, person, box)
    if (aloneAtS === null) continue
    const untilS = aloneAtS + permanenciaS + AFTER_S
    const fits = untilS <= endS && !isAttended(detected, box, aloneAtS, untilS)
    const loop = fits ? null : emptyAfter(detected, aloneAtS)
    if (!fits && (!loop || isAttended(detected, box, aloneAtS, loop.toS + AFTER_S + 1, loop.toS))) continue
    plans.push({
      kind,
      box,
      putAtS: here.atS,
      aloneAtS,
      fromS: Math.max(0, here.atS - BEFORE_S),
      untilS,
      loop,
      seed: seed + attempt,
    })
  }
  return plans
}

/** Time at which the owner is out of reach or out of view; null: never, or the owner may be mistaken for another. */
function leftAt(detected: readonly DetectedPeople[], index: number, owner: Box, thing: Box): number | null {
  let last = owner
  let seenS = detected[index]?.atS ?? 0
  for (const { atS, people } of detected.slice(index + 1)) {
    const near = people
      .map((box) => ({ box, away: Math.hypot(mid(box).x - mid(last).x, mid(box).y - mid(last).y) }))
      .filter(({ away }) => away < last.h * OWNER_STEP)
    if (near.length > 1) return null
    const [next] = near
    if (next) {
      last = next.box
      seenS = atS
      if (distance(thing, last) > OWNER_AWAY) return atS
    } else if (atS - seenS > 1.5) return atS
  }
  return null
}

/** The first stretch without people, from 1 s before that time on. */
function emptyAfter(detected: readonly DetectedPeople[], fromS: number): Plan['loop'] {
  let sinceS: number | null = null
  let lastS = 0
  for (const { atS, people } of detected) {
    if (atS < fromS - 1 || atS > fromS + FIND_EMPTY_S) continue
    if (people.length > 0 && sinceS !== null && lastS - sinceS >= LEAST_EMPTY_S)
      return { fromS: sinceS + 0.3, toS: lastS - 0.5 }
    sinceS = people.length > 0 ? null : (sinceS ?? atS)
    lastS = atS
  }
  return sinceS !== null && lastS - sinceS >= LEAST_EMPTY_S ? { fromS: sinceS + 0.3, toS: lastS - 0.5 } : null
}

/** Whether anybody stays near, or is near when the event is due. */
function isAttended(
  detected: readonly DetectedPeople[],
  thing: Box,
  fromS: number,
  untilS: number,
  endS = untilS,
): boolean {
  let sinceS: number | null = null
  for (const { atS, people } of detected) {
    if (atS < fromS || atS > endS) continue
    const near = people.some((person) => distance(thing, person) < STRANGER_AWAY)
    if (near && atS > untilS - AFTER_S - 1) return true
    sinceS = near ? (sinceS ?? atS) : null
    if (sinceS !== null && atS - sinceS > STAYS_S) return true
  }
  return false
}

const mid = ({ x, y, w, h }: Box) => ({ x: x + w / 2, y: y + h / 2 })

/** From foot to foot, in heights of the person, as the rule measures. */
function distance(thing: Box, person: Box): number {
  const dx = (mid(thing).x - mid(person).x) / (Math.max(person.w, 1e-6) * 2.5)
  return Math.hypot(dx, (thing.y + thing.h - person.y - person.h) / Math.max(person.h, 1e-6))
}
