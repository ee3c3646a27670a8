import { areaOf, around, type Box } from './geometry.ts'

/** Where it burns and somebody was told: a fire that goes on is one event, until it has clearly grown or was gone. */
export interface FirePlaces {
  /** Everything that burns in this look. Once a look, before the questions below. */
  observe(flames: readonly Box[], epochMs: number, streamMs: number): void
  /** Whether there is something new to tell of `flame`: nobody was told of this place, or it burns at least twice as large since. */
  isNews(flame: Box): boolean
  /** Somebody was told of these flames, as they are now. */
  tell(flames: readonly Box[], epochMs: number, streamMs: number): void
  saved(): SavedPlace[]
}

/** What survives a restart: place, size when it was told of (fraction of the frame), and when it was last seen, edge clock. */
export interface SavedPlace {
  readonly box: Box
  readonly told: number
  readonly seenAt: number
}

/** A fire that was not seen for this long is out; the next one is another. Longer than people and smoke hide a flame. */
const GONE_MS = 120_000
/** So much larger is news: boxes of one flame differ by half from look to look, and twice the size is a fire that gets away. */
const GROWTH = 2
/** Weight of the newest look in the size: about the mean of the last five. */
const NEWEST = 0.3

interface Place {
  box: Box
  told: number
  /** Area of all its flames together, smoothed. */
  size: number
  seenAt: number
  seenStreamMs: number
}

/** @param reach how far from a place, in widths and heights of it, flames still belong to it: flames spread, smoke drifts */
export function createFirePlaces(reach: number, saved: readonly SavedPlace[] = []): FirePlaces {
  let places: Place[] = []
  let pending = saved

  const near = (place: Place, flame: Box) => touches(grown(place.box, reach), flame)

  /** The monotonic clock of the process before is gone: ages come from the wall clock, once. */
  const restore = (epochMs: number, streamMs: number) => {
    for (const one of pending) {
      const seenStreamMs = streamMs - Math.max(0, epochMs - one.seenAt)
      places.push({ ...one, size: one.told, seenStreamMs })
    }
    pending = []
  }

  return {
    observe(flames, epochMs, streamMs) {
      restore(epochMs, streamMs)
      places = places.filter((place) => streamMs - place.seenStreamMs <= GONE_MS)
      for (const place of places) {
        const own = flames.filter((flame) => near(place, flame))
        if (own.length === 0) continue
        place.size += NEWEST * (totalArea(own) - place.size)
        place.box = around(own)
        place.seenAt = epochMs
        place.seenStreamMs = streamMs
      }
    },
    isNews(flame) {
      const own = places.filter((place) => near(place, flame))
      return own.every((place) => place.size >= GROWTH * place.told)
    },
    tell(flames, epochMs, streamMs) {
      const fresh: Place[] = []
      for (const flame of flames) {
        const own = places.filter((place) => near(place, flame))
        for (const place of own) place.told = Math.max(place.told, place.size)
        if (own.length > 0) continue
        const size = areaOf(flame)
        const beside = fresh.find((place) => near(place, flame))
        if (beside) {
          beside.size += size
          beside.told = beside.size
          beside.box = around([beside.box, flame])
        } else fresh.push({ box: flame, told: size, size, seenAt: epochMs, seenStreamMs: streamMs })
      }
      places.push(...fresh)
    },
    saved: () => [
      ...pending,
      ...places.map(({ box, told, seenAt }) => ({
        box: { x: round(box.x), y: round(box.y), w: round(box.w), h: round(box.h) },
        told: Math.round(told * 1e6) / 1e6,
        seenAt,
      })),
    ],
  }
}

export function isSavedPlace(raw: unknown): raw is SavedPlace {
  const { box, told, seenAt } = (raw ?? {}) as Partial<SavedPlace>
  return [box?.x, box?.y, box?.w, box?.h, told, seenAt].every((value) => Number.isFinite(value))
}

const grown = (box: Box, reach: number): Box => ({
  x: box.x - box.w * reach,
  y: box.y - box.h * reach,
  w: box.w * (1 + 2 * reach),
  h: box.h * (1 + 2 * reach),
})

const touches = (a: Box, b: Box): boolean =>
  a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h

const totalArea = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + areaOf(box), 0)
const round = (value: number) => Math.round(value * 10_000) / 10_000
