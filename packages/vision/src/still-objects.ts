import { type Box, intersection, iou } from '@vigia/ias/geometry'
import { createStillBackground, STILL_MS, type Stand, type StillPicture } from './still-background.ts'
import { kindOf, type Shape, shapesOf } from './still-shape.ts'

/** A part of the picture that appeared and stands still: an object put down, or the place of one taken away. */
export interface StillObject {
  /** Never reused. */
  readonly id: number
  readonly kind: 'deixado' | 'retirado'
  /** Fractions of the frame. */
  readonly box: Box
  /** Stream time since which it stands. */
  readonly sinceMs: number
  /** Not hidden by anything now. */
  readonly visible: boolean
  /** Mean difference from the background, grey and colour, 0–1: 1 from 60 levels on. */
  readonly contrast: number
}

export interface StillObjects {
  /**
   * Called about once a second with the whole frame, about 320 pixels wide; not kept. `people`: boxes in fractions of
   * the frame; a part of the picture beside a person is not judged yet.
   */
  update(picture: StillPicture, timestampMs: number, people: readonly Box[]): void
  /** The objects after the last update. */
  all(): readonly StillObject[]
  /** Takes an object as part of the background. */
  absorb(id: number): void
}

/** A longer pause of the stream, or a picture that the background explains worse than this, begins a new background. */
const STALE_MS = 10_000
const EXPLAINED = 0.5
/** Minimum area, as a fraction of the picture, and in pixels. */
const LEAST_AREA = 0.0004
const LEAST_PIXELS = 20
/** More objects than this at once are a change of the scene: the oldest become background. */
const MOST = 24
/** Fraction of the pixels with the object's own levels while it is visible; with the background's when it is gone. */
const VISIBLE = 0.6
const GONE = 0.6
/** Time with the background visible after which the object is gone. */
const GONE_MS = 2_500
/** Overlap (intersection over union) and ratio of sizes with the picture before from which a shape is complete. */
const COMPLETE = 0.85
/** Changing pixels in and beside a shape, as a fraction of its pixels, from which it is not complete. */
const UNREST = 0.05
/** Time for which something else may stand in front of the object. */
const HIDDEN_MS = 120_000
/** The stored appearance follows the light with this time constant while the object is visible. */
const FOLLOW_TAU_MS = 30_000
/** The background begins as the median of this many pictures, so that passers-by leave no trace. */
const FIRST_PICTURES = 5
/** People hide the background in the first pictures. Pictures without them until it is known. */
const KNOWN_AFTER = 10

interface Record {
  object: StillObject
  readonly shape: Shape
  /** Grey level of each pixel of the shape. */
  readonly levels: Float32Array
  /** Grey level of each pixel before the change, if the background shows it no longer. */
  readonly before: Float32Array | null
  goneMs: number
  hiddenMs: number
}

/**
 * Finds objects that appear in the picture of a fixed camera and stand still, whatever they are. Two time scales: a
 * background that does not learn them, and pixels without change for some seconds. Light and shadow are excluded by
 * their outline and pattern. An object is followed by its own grey levels, also after people passed in front of it.
 * About 3 MB for a camera at 320x180.
 */
export function createStillObjects(): StillObjects {
  let scene: ReturnType<typeof createScene> | null = null
  let lastMs = 0
  let records: Record[] = []
  /** Shapes of the picture before. They grow while a person uncovers them. */
  let growing: readonly { readonly box: Box; readonly count: number }[] = []
  let nextId = 1
  const unwanted = new Set<number>()

  return {
    update(picture, timestampMs, people) {
      const { planes: now, width, height } = picture
      if (now.length !== 2 * width * height) throw new RangeError(`${now.length} bytes for ${width}x${height} pixels`)
      const elapsedMs = timestampMs - lastMs
      lastMs = timestampMs
      if (!scene || scene.width !== width || scene.height !== height || elapsedMs < 0 || elapsedMs > STALE_MS) {
        scene = createScene(picture)
        records = []
        return
      }
      const { background, held, unknown, first } = scene
      if (first.length < FIRST_PICTURES) {
        for (const person of people) fill(person, scene, unknown, KNOWN_AFTER)
        if (first.push(Uint8Array.from(now)) === FIRST_PICTURES) background.begin(median(first))
        return
      }
      held.fill(0)
      for (const { shape, before } of records) if (!before) for (const at of shape.pixels) held[at] = 1
      // Nobody becomes background, however long they sit there; nor do their feet and their shadow.
      for (const person of people) fill(wider(person), scene, held, 1)
      const stand = background.compare(now, elapsedMs, held)
      if (stand.fit.explained < EXPLAINED) {
        // Another light (infrared) or another view: only objects that are known stay, with their new appearance.
        background.begin(now)
        for (const { shape, levels } of records) levels.set(levelsOf(now, shape.pixels))
        return
      }
      records = records.filter((record) => {
        if (!unwanted.delete(record.object.id) && follow(record, now, stand, elapsedMs)) return true
        // The background of an object that went is known; the place of one that was put back is not.
        background.absorb(now, stand.fit, record.goneMs > 0 && !record.before ? [] : record.shape.pixels)
        return false
      })
      background.absorb(now, stand.fit, uncovered(unknown, held, stand.mask))
      const least = Math.max(LEAST_PIXELS, LEAST_AREA * held.length)
      const grown = growing
      growing = []
      if (stand.count < least) return
      const free = stand.mask.map((state, at) => (held[at] || state !== 1 ? 0 : 1))
      for (const shape of shapesOf(free, width, height, least)) {
        const [box, count] = [boxOf(shape, width, height), shape.pixels.length]
        growing = [...growing, { box, count }]
        const isComplete = grown.some(
          (one) => iou(one.box, box) >= COMPLETE && Math.min(one.count, count) >= COMPLETE * Math.max(one.count, count),
        )
        if (!isComplete || unrest(stand.mask, shape, width, height) > UNREST * count) continue
        // A part of it may be hidden: it is judged when the person has left.
        if (people.some((person) => intersection(wider(person), box) > 0)) continue
        const kind = kindOf(now, stand.expected, width, height, shape)
        if (kind === 'luz') {
          background.absorb(now, stand.fit, shape.pixels)
          continue
        }
        const levels = Float32Array.from(levelsOf(now, shape.pixels))
        const was = Float32Array.from(levelsOf(stand.expected, shape.pixels))
        const apart = levels.reduce((sum, level, i) => sum + Math.abs(level - (was[i] as number)), 0)
        const contrast = Math.min(1, apart / shape.pixels.length / 60)
        const object = { id: nextId++, kind, box, sinceMs: timestampMs - STILL_MS - elapsedMs, visible: true, contrast }
        // The place of an object that was taken away is background again: the next object may stand there.
        if (kind === 'retirado') background.absorb(now, stand.fit, shape.pixels)
        records.push({ object, shape, levels, before: kind === 'retirado' ? was : null, goneMs: 0, hiddenMs: 0 })
      }
      for (const { shape } of records.splice(0, records.length - MOST)) background.absorb(now, stand.fit, shape.pixels)
    },
    all: () => records.map(({ object }) => object),
    absorb: (id) => void unwanted.add(id),
  }
}

function createScene(picture: StillPicture) {
  const { planes, width, height } = picture
  const [held, unknown] = [new Uint8Array(width * height), new Uint8Array(width * height)]
  return {
    background: createStillBackground(picture),
    width,
    height,
    held,
    unknown,
    first: [Uint8Array.from(planes)],
  }
}

/** Follows one object; false: it is gone. */
function follow(record: Record, now: Uint8Array, { expected, limit }: Stand, elapsedMs: number): boolean {
  const { pixels } = record.shape
  const count = pixels.length
  let [same, empty] = [0, 0]
  for (let i = 0; i < count; i++) {
    const at = pixels[i] as number
    const colour = at + now.length / 2
    const near = (level: number, tint: number) =>
      Math.abs((now[at] as number) - level) <= (limit[at] as number) &&
      Math.abs((now[colour] as number) - tint) <= (limit[colour] as number)
    if (near(record.levels[i] as number, record.levels[i + count] as number)) same++
    else if (
      near((record.before?.[i] ?? expected[at]) as number, (record.before?.[i + count] ?? expected[colour]) as number)
    )
      empty++
  }
  const visible = same >= VISIBLE * count
  record.goneMs = !visible && empty >= GONE * count ? record.goneMs + elapsedMs : 0
  record.hiddenMs = visible ? 0 : record.hiddenMs + elapsedMs
  record.object = { ...record.object, visible }
  if (visible) {
    const weight = 1 - Math.exp(-elapsedMs / FOLLOW_TAU_MS)
    levelsOf(now, pixels).forEach((level, i) => {
      const before = record.levels[i] as number
      record.levels[i] = before + (level - before) * weight
    })
  }
  return record.goneMs < GONE_MS && record.hiddenMs < HIDDEN_MS
}

/** Levels of these pixels in both planes. */
const levelsOf = (planes: ArrayLike<number>, pixels: readonly number[]): number[] => [
  ...pixels.map((at) => planes[at] as number),
  ...pixels.map((at) => planes[at + planes.length / 2] as number),
]

/** The box of a person with feet, shadow and an object at their side. */
const wider = ({ x, y, w, h }: Box): Box => ({ x: x - 0.6 * w, y: y - 0.03 * h, w: 2.2 * w, h: 1.13 * h })

function fill(person: Box, { width, height }: { width: number; height: number }, map: Uint8Array, value: number): void {
  const [left, right] = [Math.max(0, person.x * width), Math.min(width, (person.x + person.w) * width)]
  if (left >= right) return
  const bottom = Math.min(height, (person.y + person.h) * height)
  for (let y = Math.max(0, Math.floor(person.y * height)); y < bottom; y++)
    map.fill(value, y * width + Math.floor(left), y * width + Math.ceil(right))
}

/** Number of pixels in the widened box of a shape that differ from the background and still change. */
function unrest(mask: Uint8Array, { left, top, right, bottom }: Shape, width: number, height: number): number {
  const [across, down] = [Math.ceil((right - left) * 0.4) + 4, Math.ceil((bottom - top) * 0.4) + 4]
  let count = 0
  for (let y = Math.max(0, top - down); y < Math.min(height, bottom + down); y++)
    for (let x = Math.max(0, left - across); x < Math.min(width, right + across); x++)
      if (mask[y * width + x] === 2) count++
  return count
}

/** Pixels of unknown background that nobody hides any more: they show it now. */
function uncovered(unknown: Uint8Array, held: Uint8Array, mask: Uint8Array): number[] {
  const found: number[] = []
  for (let at = 0; at < unknown.length; at++) {
    if (!unknown[at] || held[at]) continue
    if (mask[at] === 1) {
      found.push(at)
      mask[at] = 0
      unknown[at] = 0
    } else unknown[at] = (unknown[at] as number) - 1
  }
  return found
}

function median(pictures: readonly Uint8Array[]): Uint8Array {
  const values = new Uint8Array(pictures.length)
  return Uint8Array.from(pictures[0] ?? [], (_, at) => {
    for (let i = 0; i < values.length; i++) values[i] = pictures[i]?.[at] as number
    return values.sort()[values.length >> 1] as number
  })
}

const boxOf = ({ left, top, right, bottom }: Shape, width: number, height: number): Box => ({
  x: left / width,
  y: top / height,
  w: (right - left) / width,
  h: (bottom - top) / height,
})
