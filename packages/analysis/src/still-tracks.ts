import { VEICULOS } from '@vigia/ias/catalogue-entry'
import type { Detection } from '@vigia/ias/detection'
import { areaOf, type Box, intersection, iou } from '@vigia/ias/geometry'
import type { ObservedTrack } from '@vigia/ias/observation'
import { STILL_LABELS } from '@vigia/ias/tasks/parados'
import type { VideoFrame } from '@vigia/video/stream-reader'
import { createStillObjects, type StillObject } from '@vigia/vision/still-objects'
import type { Track } from '@vigia/vision/track-state'

/** Objects of the background model as tracks of one camera. */
export interface StillTracks {
  /** Called for every frame, in order. `people`: their last known boxes. */
  watch(frame: VideoFrame, streamMs: number, people: readonly Box[]): Promise<void>
  /** Whether an object appeared or went since the last call of `tracks`. */
  changed(): boolean
  /** Time watched since the last call of `tracks`. */
  watchedMs(): number
  /** The objects now. `found`: all detections of this frame, also weak ones. */
  tracks(found: readonly Detection[], streamMs: number): (Track & ObservedTrack)[]
  /** Enlarged regions around the objects, most recent first, in fractions of the frame. */
  regions(): readonly Box[]
}

/** Interval and width of the pictures of the background model. */
const EVERY_MS = 1_000
const WIDTH = 320
/** A longer pause between frames is not watched. */
const PAUSE_MS = 5_000
/** Ids apart from those of the tracker. */
const FIRST_ID = 1_000_000_000
/** Confidence from which a detection of luggage or of a person counts here, and of a vehicle: bags resemble cars. */
const WEAK_CONF = 0.2
const PERSON_CONF = 0.3
const VEHICLE_CONF = 0.55
/** Overlap (intersection over union) with a person who does not move, or with a vehicle. */
const IS_PERSON = 0.35
const IS_VEHICLE = 0.3
/** Fraction of the object inside a vehicle's box: a part of it, a load. */
const IN_VEHICLE = 0.7
const IS_LUGGAGE = 0.3
/** Confidence of an object by its difference from the background, and with a luggage class. */
const conf = (contrast: number, luggage: number) => Math.min(0.95, 0.45 + 0.35 * contrast + 0.3 * luggage)

/** Regions in one frame, and their size in sizes of the object: a person who lies there fits into it. */
const MOST_REGIONS = 2
const REGION = 2.5
const LEAST_REGION = 0.15

function around({ x, y, w, h }: Box): Box {
  const [width, height] = [w, h].map((size) => Math.min(1, Math.max(LEAST_REGION, size * REGION))) as [number, number]
  const from = (middle: number, size: number) => Math.min(1 - size, Math.max(0, middle - size / 2))
  return { x: from(x + w / 2, width), y: from(y + h / 2, height), w: width, h: height }
}

const LUGGAGE = ['backpack', 'handbag', 'suitcase']
const vehicles: readonly string[] = VEICULOS

export function createStillTracks(): StillTracks {
  const objects = createStillObjects()
  /** People who sit or lie still, for as long as they stay. */
  const people = new Set<number>()
  let sampledMs = Number.NEGATIVE_INFINITY
  let frameMs = Number.NEGATIVE_INFINITY
  let watchedMs = 0
  let known = ''
  const key = () =>
    objects
      .all()
      .map(({ id }) => id)
      .join()

  const isPerson = ({ id, box }: StillObject, found: readonly Detection[]) => {
    if (found.some((one) => one.rotulo === 'person' && one.confianca >= PERSON_CONF && iou(one, box) >= IS_PERSON))
      people.add(id)
    return people.has(id)
  }
  const isVehicle = ({ box }: StillObject, found: readonly Detection[]) =>
    found.some(
      (one) =>
        vehicles.includes(one.rotulo) &&
        one.confianca >= VEHICLE_CONF &&
        (iou(one, box) >= IS_VEHICLE || intersection(one, box) >= IN_VEHICLE * areaOf(box)),
    )

  return {
    async watch(frame, streamMs, boxes) {
      const elapsedMs = streamMs - frameMs
      frameMs = streamMs
      if (elapsedMs > 0 && elapsedMs <= PAUSE_MS) watchedMs += elapsedMs
      if (streamMs >= sampledMs && streamMs - sampledMs < EVERY_MS) return
      sampledMs = streamMs
      const height = Math.max(1, Math.round((WIDTH * frame.height) / frame.width))
      const planes = planesOf(await frame.toPacked('rgb', WIDTH, height))
      objects.update({ planes, width: WIDTH, height }, streamMs, boxes)
    },
    changed: () => key() !== known,
    watchedMs: () => watchedMs,
    regions: () =>
      objects
        .all()
        .toReversed()
        .slice(0, MOST_REGIONS)
        .map(({ box }) => around(box)),
    tracks(all, streamMs) {
      watchedMs = 0
      known = key()
      const found = all.filter(({ confianca }) => confianca >= WEAK_CONF)
      const now = objects.all()
      const live = new Set(now.map(({ id }) => id))
      for (const id of people) if (!live.has(id)) people.delete(id)
      return now.flatMap((object) => {
        if (isPerson(object, found)) return []
        if (isVehicle(object, found)) {
          objects.absorb(object.id)
          return []
        }
        return trackOf(object, found, streamMs)
      })
    },
  }
}

/** Grey levels of all pixels, then their colour. */
function planesOf(rgb: Uint8Array): Uint8Array {
  const size = rgb.length / 3
  const planes = new Uint8Array(2 * size)
  for (let at = 0, from = 0; at < size; at++, from += 3) {
    const [red, green, blue] = [rgb[from] as number, rgb[from + 1] as number, rgb[from + 2] as number]
    planes[at] = (77 * red + 150 * green + 29 * blue) >> 8
    planes[at + size] = 128 + ((red - blue) >> 1)
  }
  return planes
}

function trackOf(
  { id, kind, box, sinceMs, visible, contrast }: StillObject,
  found: readonly Detection[],
  streamMs: number,
) {
  const [bag] = found
    .filter((one) => kind === 'deixado' && LUGGAGE.includes(one.rotulo) && iou(one, box) >= IS_LUGGAGE)
    .toSorted((a, b) => b.confianca - a.confianca)
  return {
    id: FIRST_ID + id,
    rotulo: bag?.rotulo ?? STILL_LABELS[kind],
    confianca: conf(contrast, bag?.confianca ?? 0),
    box,
    // A shape in several pictures of the background model equals many detections.
    hits: 300,
    firstSeenMs: sinceMs,
    lastSeenMs: streamMs,
    misses: 0,
    predicted: !visible,
    stillMs: streamMs - sinceMs,
    trail: [{ atMs: sinceMs, box }],
    motion: 0,
    thing: false,
    still: true as const,
    evidence: {},
  }
}
