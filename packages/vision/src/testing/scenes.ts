import type { Detection } from '@vigia/ias/detection'
import { type Box, intersection } from '@vigia/ias/geometry'

/** One object of the ground truth. */
export interface TrueObject {
  readonly id: number
  readonly rotulo: string
  readonly box: Box
  /** Visible fraction, 0–1: other objects and columns may hide it. */
  readonly visible: number
}

export interface SceneFrame {
  readonly atMs: number
  readonly truth: readonly TrueObject[]
  readonly detections: readonly Detection[]
}

export interface SceneOptions {
  readonly seed: number
  /** Analysed frames a second. */
  readonly fps: number
  readonly seconds: number
  /** Standard deviation of the edges of a detection, as a fraction of the box's sides. */
  readonly jitter: number
  /** Probability that the detector misses a fully visible object. */
  readonly missed: number
  /** Mean false detections per frame. */
  readonly noise: number
}

/** Foot point and height of an object at `s` seconds; null: not in the scene. Fractions of the frame. */
export type Path = (s: number) => { readonly x: number; readonly y: number; readonly h: number } | null

export interface Actor {
  readonly rotulo: string
  /** Width over height, both in fractions of the frame. */
  readonly aspect: number
  readonly path: Path
}

export type Random = () => number

/** Repeatable numbers in 0…1 (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Normal distribution (Box–Muller). */
const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Visible fraction below which a detector finds nothing, and below which it finds only a part with low confidence. */
const SEEN_AT_ALL = 0.3
const SEEN_WELL = 0.6

/**
 * Simulates a detector on actors who walk before each other and behind columns; an actor lower in the picture is
 * nearer. It adds jitter, misses, cut and weak boxes of half hidden objects, and false detections.
 */
export function playScene(actors: readonly Actor[], columns: readonly Box[], options: SceneOptions): SceneFrame[] {
  const random = createRandom(options.seed)
  return Array.from({ length: Math.round(options.seconds * options.fps) }, (_, frame) => {
    const s = frame / options.fps
    const truth = truthAt(actors, columns, s)
    const detections = truth.flatMap((object) => detect(object, options, random))
    while (random() < options.noise / (1 + options.noise)) detections.push(nothing(random))
    return { atMs: Math.round(s * 1000), truth, detections }
  })
}

function truthAt(actors: readonly Actor[], columns: readonly Box[], s: number): TrueObject[] {
  const there = actors.flatMap(({ rotulo, aspect, path }, id) => {
    const at = path(s)
    if (!at) return []
    const w = at.h * aspect
    const whole = { x: at.x - w / 2, y: at.y - at.h, w, h: at.h }
    const inside = intersection(whole, { x: 0, y: 0, w: 1, h: 1 }) / (w * at.h)
    return inside > 0 ? [{ id, rotulo, whole, inside }] : []
  })
  return there.map(({ id, rotulo, whole, inside }) => {
    const foot = whole.y + whole.h
    const before = there.filter((other) => other.id !== id && other.whole.y + other.whole.h > foot)
    const covers = [...before.map((other) => other.whole), ...columns]
    return { id, rotulo, box: inFrame(whole), visible: inside * uncovered(whole, covers) }
  })
}

function inFrame({ x, y, w, h }: Box): Box {
  const [left, top] = [Math.max(0, x), Math.max(0, y)]
  return { x: left, y: top, w: Math.min(1, x + w) - left, h: Math.min(1, y + h) - top }
}

/** The visible fraction of `box`, counted on a grid of 12 x 12 points. */
function uncovered(box: Box, covers: readonly Box[]): number {
  let free = 0
  for (let index = 0; index < 144; index++) {
    const x = box.x + (((index % 12) + 0.5) / 12) * box.w
    const y = box.y + ((Math.floor(index / 12) + 0.5) / 12) * box.h
    if (!covers.some((one) => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h)) free++
  }
  return free / 144
}

function detect({ rotulo, box, visible }: TrueObject, { jitter, missed }: SceneOptions, random: Random): Detection[] {
  const lost = random() < missed
  const [left, top, right, bottom] = [0, 0, 0, 0].map(() => normal(random) * jitter)
  const spread = random()
  if (lost || visible < SEEN_AT_ALL) return []
  const whole = visible >= SEEN_WELL
  const x = box.x + (left ?? 0) * box.w
  const y = box.y + (top ?? 0) * box.h
  const w = box.w * (1 + (right ?? 0) - (left ?? 0)) * (whole ? 1 : 0.75)
  const h = box.h * (1 + (bottom ?? 0) - (top ?? 0))
  return [{ rotulo, confianca: whole ? 0.5 + spread * 0.4 : 0.2 + spread * 0.3, ...inFrame({ x, y, w, h }) }]
}

function nothing(random: Random): Detection {
  const h = 0.05 + random() * 0.2
  const w = h * 0.35
  const rotulo = random() < 0.8 ? 'person' : 'backpack'
  return { rotulo, confianca: 0.15 + random() ** 2 * 0.5, x: random() * (1 - w), y: random() * (1 - h), w, h }
}
